import { ask, type Data, type Fields, startTenant, until, useTenant } from './tenant.mts';

const tenant = useTenant();

const MINUTE = 60_000;

const create = (name = 'hello') =>
	tenant.must<Fields>('POST', '/templates', {
		name,
		language: 'de',
		components: [{ type: 'BODY', text: 'Hallo' }],
	});
const listed = async (id: number) =>
	(await tenant.must<Data<Fields[]>>('GET', '/templates')).data.find((template) => template.id === id);
const send = (name = 'hello') =>
	tenant.ask('POST', '/chatapp/send-template', {
		phone_number: 4_915_112_345_678,
		template_name: name,
		template_language: 'de',
	});
const review = (id: number, body: object) =>
	tenant.control<Data<Fields>>('POST', `/templates/${id}/review`, body);

describe('templates that are reviewed', () => {
	test('off by default: a template is approved when it is created', async () => {
		expect(await create()).toMatchObject({ status: 'approved' });
		expect(await tenant.control('GET', '/template-review')).toEqual({ data: null });
	});

	test('a new template is pending, cannot be sent, and is approved after a while', async () => {
		await tenant.control('POST', '/template-review', { approveAfter: 10 * MINUTE });
		const { id, status } = await create();
		expect(status).toBe('pending');
		expect(await send()).toMatchObject({
			status: 422,
			body: { errors: { template_name: ['The template is not approved: its status is pending.'] } },
		});
		expect(tenant.store.customers.byDisplayId('chatapp', '4915112345678')).toBeUndefined();
		await tenant.control('POST', '/clock', { advance: { minutes: 9 } });
		expect(await listed(id)).toMatchObject({ status: 'pending' });
		await tenant.control('POST', '/clock', { advance: { minutes: 1 } });
		expect(await listed(id)).toMatchObject({ status: 'approved', name: 'hello' });
		expect((await send()).status).toBe(200);
	});

	test('templates that were there before can be sent as ever', async () => {
		await tenant.control('POST', '/template-review', {});
		await tenant.must('POST', '/chatapp/send-template', {
			customer_id: 102,
			template_name: 'opening_hours',
			template_language: 'en_US',
		});
	});

	test('approval comes by itself in real time too', async () => {
		await tenant.control('POST', '/template-review', { approveAfter: 20 });
		const { id } = await create();
		await until(
			async () => ((await listed(id))?.status === 'approved' ? true : undefined),
			'the template is approved',
		);
	});

	test('a decision by hand comes first, and can be changed', async () => {
		await tenant.control('POST', '/template-review', { approveAfter: MINUTE });
		const { id } = await create();
		expect((await review(id, { status: 'rejected', reason: 'Too loud' })).data).toMatchObject({
			id,
			status: 'rejected',
			rejected_reason: 'Too loud',
			components: [{ type: 'BODY', text: 'Hallo' }],
		});
		await tenant.control('POST', '/clock', { advance: { minutes: 5 } });
		expect(await listed(id)).toMatchObject({ status: 'rejected', rejected_reason: 'Too loud' });
		expect(await send()).toMatchObject({
			status: 422,
			body: { errors: { template_name: ['The template is not approved: its status is rejected.'] } },
		});
		const { data } = await review(id, { status: 'approved' });
		expect(data).toMatchObject({ status: 'approved' });
		expect(data).not.toHaveProperty('rejected_reason');
		expect((await send()).status).toBe(200);
	});

	test('without a time, a template waits until somebody decides; also one that was approved can be decided about', async () => {
		await tenant.control('POST', '/template-review', { approveAfter: null });
		const { id } = await create();
		await tenant.control('POST', '/clock', { advance: { days: 100 } });
		expect(await listed(id)).toMatchObject({ status: 'pending' });
		await review(id, { status: 'approved' });
		await review(id, { status: 'pending' });
		expect((await send()).status).toBe(422);
	});

	test('switched off, waiting templates wait on; a reset brings back what it was started with', async () => {
		await tenant.control('POST', '/template-review', { approveAfter: MINUTE });
		const { id } = await create();
		await tenant.control('DELETE', '/template-review');
		await tenant.control('POST', '/clock', { advance: { minutes: 5 } });
		expect(await listed(id)).toMatchObject({ status: 'pending' });
		expect(await create('other')).toMatchObject({ status: 'approved' });

		const other = await startTenant({ templateReview: true });
		await other.control('DELETE', '/template-review');
		await other.control('POST', '/reset');
		expect(await other.control('GET', '/template-review')).toEqual({ data: { approveAfter: 5_000 } });
		await other.close();
	});

	test('unknown templates and decisions are refused', async () => {
		const { id } = await create();
		for (const [template, body, expected] of [
			[999_999, { status: 'approved' }, 404],
			[id, { status: 'loved' }, 422],
			[id, {}, 422],
		] as const) {
			const answer = await ask(`${tenant.url}/sandbox/templates/${template}/review`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			expect([template, body, answer.status]).toEqual([template, body, expected]);
		}
	});
});
