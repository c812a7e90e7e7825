import type { IDataObject } from 'n8n-workflow';
import sharp from 'sharp';

import type { FaultRule } from '../../../../sandbox/server.mts';
import { editorOf, type NodeRunOptions } from '../../../engine/engine.mts';
import { pixelBinary } from '../../../engine/pixel.mts';
import { byId, TestTenant } from '../../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const toCustomer = {
	resource: 'message',
	operation: 'sendTemplate',
	recipient: 'customer',
	customerId: byId(101),
	agentId: byId(11),
	templateName: byId('opening_hours'),
	templateLanguage: 'en_US',
	requestLimits: { maximumTries: 1 },
};
const toNumber = { ...toCustomer, recipient: 'phoneNumber', phoneNumber: '={{ $json.phone }}' };

const phones = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { phone: String(491_710_000_000 + index) } }));

const sends = () => tenant.sent().filter(({ path }) => path.endsWith('/send-template'));

const arm = (rule: FaultRule) => tenant.sandbox.faults.add(rule);

/** Messages that the tenant keeps for each number, beyond those of the demo data. */
function received(): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { phone } of phones(2000).map(({ json }) => json)) {
		const customer = tenant.sandbox.store.customers.byDisplayId('chatapp', phone);
		if (!customer) continue;
		const conversation = tenant.sandbox.store.conversations.ofCustomer(customer.id);
		const messages = conversation ? tenant.sandbox.store.conversations.messages(conversation.id) : [];
		if (messages.length > 0) counts.set(phone, messages.length);
	}
	return counts;
}

describe('the form of a template', () => {
	const PDF = Buffer.from('%PDF-1.4\nhello');

	async function formOf(name: string, templateLanguage = 'en_US') {
		const { methods, context } = await editorOf({
			parameters: { ...toCustomer, templateName: byId(name), templateLanguage },
			credentials: tenant.credentials,
		});
		return await methods.resourceMapping?.getTemplateVariables.call(context);
	}

	it('shows the variables of the chosen template and language', async () => {
		const form = await formOf('order_shipped', 'de');
		expect(
			form?.fields.map((field) => [field.id, field.displayName, 'isNeeded' in field && field.isNeeded]),
		).toEqual([
			['header_image', 'Header image', true],
			['body_1', 'Body 1 · Nachricht', true],
			['body_2', 'Body 2 · Bestellung', true],
			['body_3', 'Body 3 · und kommt am', true],
			['button_0_url', 'URL end · Paket verfo…', true],
			['button_1_quick_reply', 'Payload · Ich habe ei…', false],
		]);
	});

	it.each([
		['', 'Choose a template'],
		['=', 'comes from an expression'],
		['no_such', 'no template "no_such"'],
		['opening_hours', 'no variables'],
	])('says what to do for the template %j', async (name, notice) => {
		const form = await formOf(name === '=' ? '={{ $json.template }}' : name);
		expect(form).toMatchObject({ fields: [], emptyFieldsNotice: expect.stringContaining(notice) });
	});

	it('offers the languages in which the template exists', async () => {
		const { methods, context } = await editorOf({
			parameters: { ...toCustomer, templateName: byId('order_shipped') },
			credentials: tenant.credentials,
		});
		const languages = await methods.loadOptions?.getTemplateLanguages.call(context);
		expect(languages?.map(({ value }) => value)).toEqual(['en_US', 'de']);
	});

	const filled = {
		...toCustomer,
		templateName: byId('order_shipped'),
		variables: {
			mappingMode: 'defineBelow',
			value: { header_image: 'data', body_1: 'Jo', body_2: 'A-1', body_3: 'Monday', button_0_url: 'A-1' },
			schema: [{ id: 'body_1', displayName: 'Body {{1}}', required: true }],
		},
	};

	it('uploads a header image from a binary field, public, and sends its address', async () => {
		const png = pixelBinary;
		const { error } = await tenant.run(filled, { items: [{ json: {}, binary: { data: png } }] });
		expect(error).toBeUndefined();
		const [upload] = tenant.sent().filter(({ path }) => path.endsWith('/temporary-upload'));
		expect(upload.body).toContain('name="public"\r\n\r\n1');
		const { template_components } = JSON.parse(sends()[0].body) as { template_components: unknown[] };
		expect(template_components).toEqual([
			{
				type: 'header',
				parameters: [{ type: 'image', image: { link: expect.stringMatching(/^http.*\/files\/public\//) } }],
			},
			{
				type: 'body',
				parameters: [
					{ type: 'text', text: 'Jo' },
					{ type: 'text', text: 'A-1' },
					{ type: 'text', text: 'Monday' },
				],
			},
			{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-1' }] },
		]);
	});

	it('takes an uploaded file by its UUID', async () => {
		const uuid = await tenant.upload('image', 'image/png', 'p.png', Buffer.from(pixelBinary.data, 'base64'));
		const { error } = await tenant.run({
			...filled,
			variables: { ...filled.variables, value: { ...filled.variables.value, header_image: uuid } },
		});
		expect(error).toBeUndefined();
		expect(sends()[0].body).toContain(`/files/temporary/${uuid}`);
	});

	it.each([
		['an empty variable', { body_1: '' }, 'Body {{1}} is empty'],
		[
			'a header that is no file',
			{ header_image: 'picture' },
			'Template Variables (the image of the header) "picture" is not a file',
		],
	])('names %s before anything is sent', async (_, value, message) => {
		const { error } = await tenant.run(
			{ ...filled, variables: { ...filled.variables, value: { ...filled.variables.value, ...value } } },
			{ items: [{ json: {}, binary: { data: pixelBinary } }] },
		);
		expect(error?.message).toBe(message);
		expect(sends()).toEqual([]);
	});

	it('builds the same from components put together by hand', async () => {
		await tenant.run({
			...toCustomer,
			templateName: byId('order_shipped'),
			variablesMode: 'components',
			header: { header: { type: 'image', file: 'https://shop.example/p.jpg' } },
			bodyVariables: {
				variable: [
					{ name: '1', text: 'Jo' },
					{ name: '2', text: 'A-1' },
					{ name: '3', text: 'Monday' },
				],
			},
			buttons: { button: [{ position: 1, type: 'url', value: 'A-1' }] },
		});
		expect(sends()[0].body).toContain(
			'"template_components":[{"type":"header","parameters":[{"type":"image","image":{"link":"https://shop.example/p.jpg"}}]},{"type":"body","parameters":[{"type":"text","text":"Jo"},{"type":"text","text":"A-1"},{"type":"text","text":"Monday"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"A-1"}]}]',
		);
	});

	it('refuses a file that the tenant does not allow, naming file, kind and what is allowed', async () => {
		const binary = {
			data: { data: PDF.toString('base64'), mimeType: 'application/pdf', fileName: 'terms.pdf' },
		};
		const { error } = await tenant.run(filled, { items: [{ json: {}, binary }] });
		expect(error?.message).toBe(
			'terms.pdf is of type application/pdf, which the tenant does not allow as image',
		);
		expect(error?.description).toContain('image/jpeg, image/png, image/webp');
		expect(tenant.sent().map(({ method }) => method)).toEqual(['GET', 'GET']);
	});
});

describe('media of messages', () => {
	const conversation = () => {
		const found = tenant.sandbox.store.conversations.ofCustomer(101);
		if (!found) throw new Error('The demo data holds no conversation of customer 101');
		return String(found.id);
	};
	const send = { resource: 'message', operation: 'send', mediaSource: 'binary' };

	it('a file over the limit of the tenant is not uploaded', async () => {
		const content = Buffer.alloc(21 * 1024 * 1024);
		const binary = {
			data: { data: content.toString('base64'), mimeType: 'audio/mpeg', fileName: 'song.mp3' },
		};
		const { error } = await tenant.run(
			{ ...send, conversationId: conversation(), messageType: 'audio' },
			{ items: [{ json: {}, binary }] },
		);
		expect(error?.message).toBe('song.mp3 has 21.0 MB, the tenant takes at most 16 MB as audio');
		expect(tenant.sent().some(({ method }) => method === 'POST')).toBe(false);
	});

	it('the limits are asked for once, however many items there are', async () => {
		const items = Array.from({ length: 5 }, () => ({ json: {}, binary: { data: pixelBinary } }));
		const { error, items: out } = await tenant.run(
			{ ...send, conversationId: conversation(), messageType: 'image' },
			{ items },
		);
		expect(error).toBeUndefined();
		expect(out).toHaveLength(5);
		expect(tenant.sent().filter(({ path }) => path.includes('/support/'))).toHaveLength(2);
	});

	it('a 90 kB image arrives unchanged', async () => {
		const noise = Buffer.alloc(150 * 200 * 3);
		for (let index = 0; index < noise.length; index++) noise[index] = (index * 7919) % 251;
		const content = await sharp(noise, { raw: { width: 150, height: 200, channels: 3 } })
			.png({ compressionLevel: 0 })
			.toBuffer();
		expect(content.length).toBeGreaterThan(90_000);
		const binary = {
			data: { data: content.toString('base64'), mimeType: 'image/png', fileName: 'noise.png' },
		};
		const { error } = await tenant.run(
			{ ...send, conversationId: conversation(), messageType: 'image' },
			{ items: [{ json: {}, binary }] },
		);
		expect(error).toBeUndefined();
		const { file } = JSON.parse(tenant.sent().at(-1)?.body ?? '') as { file: { internal_uuid: string } };
		expect((await tenant.download(file.internal_uuid)).equals(content)).toBe(true);
	});

	it.each([
		['a 12 MB video', 'video', 'video/mp4', 12 * 1024 * 1024],
		['a PDF', 'document', 'application/pdf', 300_000],
	])('%s arrives unchanged', async (_, messageType, mimeType, size) => {
		const content = Buffer.alloc(size, `${messageType} content `);
		const binary = { data: { data: content.toString('base64'), mimeType, fileName: 'file' } };
		const { error } = await tenant.run(
			{ ...send, conversationId: conversation(), messageType },
			{ items: [{ json: {}, binary }] },
		);
		expect(error).toBeUndefined();
		const { file } = JSON.parse(tenant.sent().at(-1)?.body ?? '') as { file: { internal_uuid: string } };
		expect((await tenant.download(file.internal_uuid)).equals(content)).toBe(true);
	});
});

const isUnclear = (json: IDataObject) => (json.details as IDataObject | undefined)?.outcome === 'unknown';

describe('nobody is messaged twice', () => {
	it.each<[string, FaultRule]>([
		['a dropped connection', { kind: 'drop-after', operationId: 'sendTemplate', times: 1 }],
		['an answer cut off', { kind: 'truncate', operationId: 'sendTemplate', times: 1 }],
		[
			'a bad gateway',
			{ kind: 'server-error', status: 502, processed: true, operationId: 'sendTemplate', times: 1 },
		],
	])('%s is reported as unclear, with what was sent', async (_, fault) => {
		arm(fault);
		const { items } = await tenant.run(toNumber, { items: phones(1), onError: 'continueRegularOutput' });
		expect(items).toMatchObject([
			{
				json: {
					error: 'It is unclear whether the message was sent',
					details: {
						outcome: 'unknown',
						sent: { phone_number: 491_710_000_000, template_name: 'opening_hours' },
					},
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(sends()).toHaveLength(1);
	});

	it('an unclear one goes to the error output, with what was sent', async () => {
		arm({ kind: 'drop-after', operationId: 'sendTemplate', times: 1 });
		const { items, errorItems } = await tenant.run(toNumber, {
			items: phones(1),
			onError: 'continueErrorOutput',
		});
		expect(items).toEqual([]);
		expect(errorItems).toMatchObject([{ json: { phone: '491710000000', details: { outcome: 'unknown' } } }]);
	});

	it('what certainly was not sent is no unclear error', async () => {
		const fault = arm({ kind: 'rate-limit', operationId: 'sendTemplate', times: 100 });
		const { error } = await tenant.run(toNumber, { items: phones(1) });
		// All of it together, so that a failure tells which side it was.
		expect({
			error: {
				httpCode: error && 'httpCode' in error ? error.httpCode : undefined,
				message: error?.message,
				description: error?.description,
				outcome: error?.context.outcome,
			},
			answered: sends().map(({ status }) => status),
			armed: tenant.sandbox.faults.list().map(({ id, kind, met }) => ({ id, kind, met })),
			received: [...received().values()],
		}).toEqual({
			error: {
				httpCode: '429',
				message: 'Too many requests.',
				description: expect.stringContaining('Wait a moment and try again.'),
				outcome: undefined,
			},
			answered: [429],
			armed: [{ id: fault.id, kind: 'rate-limit', met: 1 }],
			received: [],
		});
	});

	it('1,000 sends with connections dropped at random: none twice, every unclear one reported', async () => {
		arm({ kind: 'drop-after', operationId: 'sendTemplate', probability: 0.1, seed: 7 });
		arm({ kind: 'drop-before', operationId: 'sendTemplate', probability: 0.1, seed: 8 });
		arm({ kind: 'drop-mid-answer', operationId: 'sendTemplate', probability: 0.1, seed: 9 });
		const { items, error } = await tenant.run(toNumber, {
			items: phones(1000),
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(phones(1000).map((_, item) => ({ item })));
		const counts = received();
		expect(Math.max(...counts.values())).toBe(1);
		for (const [index, { json }] of items.entries()) {
			const phone = phones(1000)[index].json.phone;
			if (isUnclear(json))
				expect(((json.details as { sent: unknown }).sent as { phone_number: number }).phone_number).toBe(
					Number(phone),
				);
			else
				expect({ phone, status: json.status, got: counts.get(phone) }).toEqual({
					phone,
					status: 'created',
					got: 1,
				});
		}
		const unclear = items.filter(({ json }) => isUnclear(json));
		expect(unclear.length).toBeGreaterThan(150);
		expect(items.every(({ json }) => isUnclear(json) || json.status === 'created')).toBe(true);
	}, 60_000);

	const retrying: Partial<NodeRunOptions> = {
		items: phones(10),
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
	};

	it('Retry On Fail does not send again what was sent', async () => {
		arm({ kind: 'rate-limit', operationId: 'sendTemplate', skip: 5, times: 1 });
		const { items, error } = await tenant.run(toNumber, retrying);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(10);
		expect(items.every(({ json }) => json.status === 'created')).toBe(true);
		expect([...received().values()]).toEqual(Array.from({ length: 10 }, () => 1));
		expect(sends()).toHaveLength(11);
	});

	it('Retry On Fail does not send again what may have been sent', async () => {
		// It is the last one, since nothing more is sent after it.
		arm({ kind: 'drop-after', operationId: 'sendTemplate', skip: 9, times: 1 });
		const { error } = await tenant.run(toNumber, retrying);
		expect(error?.message).toBe('It is unclear whether the message was sent');
		expect([...received().values()]).toEqual(Array.from({ length: 10 }, () => 1));
	});

	it('sends again when told to', async () => {
		arm({ kind: 'rate-limit', operationId: 'sendTemplate', skip: 5, times: 1 });
		await tenant.run({ ...toNumber, options: { skipSent: false } }, retrying);
		expect(Math.max(...received().values())).toBe(2);
	});

	it('two items with the same content are two messages', async () => {
		const { items } = await tenant.run(toNumber, {
			...retrying,
			items: [phones(1)[0], phones(1)[0]],
		});
		expect(items).toHaveLength(2);
		expect([...received().values()]).toEqual([2]);
	});
});

describe('the loop guard', () => {
	const fromAutomation = { ...toCustomer, options: { fromAutomation: true } };
	const trigger = 'n8n-nodes-customer-messaging.customerMessagingTrigger';

	it('stops a send that would start its own workflow again', async () => {
		const { error } = await tenant.run(fromAutomation, { sourceType: trigger });
		expect(error?.message).toBe('This message would start its own workflow again, without end');
		expect(error?.description).toContain('switch Allow Loop on');
		expect(tenant.sent()).toEqual([]);
	});

	it.each([
		['another start', { parameters: fromAutomation, sourceType: 'test.source' }],
		['From Automation off', { parameters: toCustomer, sourceType: trigger }],
		[
			'Allow Loop',
			{
				parameters: { ...toCustomer, options: { fromAutomation: true, allowLoop: true } },
				sourceType: trigger,
			},
		],
	])('lets %s pass', async (_, { parameters, sourceType }) => {
		const { error } = await tenant.run(parameters, { sourceType });
		expect(error).toBeUndefined();
		expect(sends()).toHaveLength(1);
	});
});

describe('the consent guard', () => {
	const guarded = (withoutConsent: string) => ({ ...toCustomer, options: { withoutConsent } });
	const consent = async (opt_in: boolean) =>
		await tenant.tell('/profiles/500001/marketing-opt-in', { opt_in });

	it('sends to those who opted in', async () => {
		await consent(true);
		const { items } = await tenant.run(guarded('skip'));
		expect(items).toMatchObject([{ json: { status: 'created' } }]);
	});

	it('skips those who have not, and says so', async () => {
		await consent(false);
		const { items } = await tenant.run(guarded('skip'));
		expect(items).toEqual([
			{
				json: {
					skipped: true,
					reason: 'The recipient has not opted in to marketing messages',
					profile_id: 500001,
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(sends()).toEqual([]);
	});

	it('fails for them when that is chosen, also for numbers that nobody knows', async () => {
		const { error } = await tenant.run(
			{ ...toNumber, options: { withoutConsent: 'fail' } },
			{ items: phones(1) },
		);
		expect(error?.message).toBe(
			'The recipient has no profile that could have opted in to marketing messages',
		);
		expect(sends()).toEqual([]);
	});
});
