import { CHANNELS, MEGABYTE } from '../../sandbox/choices.mts';
import { type Data, type Fields, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();

const CONVERSATION = 2_001;
const SESSION_HOURS = CHANNELS.find(({ channel }) => channel === 'chatapp')?.session_hours ?? 0;
const text = { type: 'text', text: { content: 'Hello' } };
const send = (fields: object, conversation: number | string = CONVERSATION) =>
	tenant.ask('POST', `/conversations/${conversation}/messages`, fields);
const sent = async (fields: object) => {
	const { status, body } = await send(fields);
	expect([status, body]).toEqual([200, expect.anything()]);
	return (body as Data<Fields>).data;
};
const fileOf = async (type: string, mimeType: string, size = 10) => {
	const { body } = await upload(
		tenant,
		uploadForm({ type }, { content: new Uint8Array(size), mimeType, name: 'f' }),
	);
	return { internal_uuid: (body as { internal_uuid: string }).internal_uuid };
};

describe('messages of a conversation', () => {
	test('a text message is stored and answered in data', async () => {
		expect(await sent(text)).toEqual({
			id: expect.any(Number),
			conversation_id: CONVERSATION,
			from: 'agent',
			source: 'api',
			user_id: 1,
			contents: [{ type: 'text', text: { content: 'Hello' } }],
			status: 'created',
			sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
		});
		expect(tenant.store.conversations.messages(CONVERSATION)).toHaveLength(4);
	});

	test.each([
		['video', 'video/mp4', { caption: 'Look' }],
		['audio', 'audio/ogg', { voice: true }],
		['document', 'application/pdf', { filename: 'a.pdf', caption: 'Read' }],
	])('a %s message takes an uploaded file of an allowed mime type', async (type, mimeType, details) => {
		const { contents } = await sent({ type, [type]: details, file: await fileOf(type, mimeType) });
		expect(contents).toMatchObject([{ type, [type]: details, file: { mime_type: mimeType, size: 10 } }]);
	});

	test('a media message takes any address instead of an uploaded file', async () => {
		const { contents } = await sent({ type: 'image', file: { url: 'https://shop.example/a.jpg' } });
		expect(contents).toMatchObject([{ type: 'image', file: { url: 'https://shop.example/a.jpg' } }]);
		expect((await send({ type: 'image', file: { url: 'ftp://shop.example/a.jpg' } })).status).toBe(422);
	});

	test('a media message needs a file that was uploaded, of the same kind, within the regular limit', async () => {
		expect((await send({ type: 'image' })).status).toBe(422);
		expect((await send({ type: 'image', file: { internal_uuid: 'nothing' } })).status).toBe(422);
		expect((await send({ type: 'image', file: await fileOf('document', 'text/plain') })).status).toBe(422);
		expect(
			(await send({ type: 'video', file: await fileOf('video', 'video/mp4', 17 * MEGABYTE) })).status,
		).toBe(413);
	});

	test('locations and contacts keep their further members', async () => {
		const location = { latitude: '52.5', longitude: '13.4', name: 'Shop' };
		expect(await sent({ type: 'location', location })).toMatchObject({ contents: [{ location }] });
		const contact = { name: { formatted_name: 'Sam Service', suffix: 'x' }, phones: [{ phone: '1' }] };
		expect(await sent({ type: 'contact', contact })).toMatchObject({ contents: [{ contact }] });
	});

	test.each([
		{},
		{ type: 'song' },
		{ type: 'toString' },
		{ type: 'text' },
		{ type: 'text', text: { content: '' } },
		{ type: 'location', location: { latitude: '1' } },
		{ type: 'contact', contact: { name: {} } },
	])('%p is refused: the part that its type needs is missing', async (fields) => {
		expect(await send(fields)).toMatchObject({ status: 422, body: { errors: expect.any(Object) } });
	});

	test('reference_id must be a message of the same conversation', async () => {
		const [first] = tenant.store.conversations.messages(CONVERSATION);
		expect(await sent({ ...text, reference_id: first.id })).toMatchObject({ reference: { id: first.id } });
		const { data } = await tenant.must<Data<Fields>>('POST', '/chatapp/send-template', {
			customer_id: 102,
			template_name: 'opening_hours',
			template_language: 'en_US',
		});
		for (const reference_id of [data.id, 999_999]) {
			expect(await send({ ...text, reference_id })).toMatchObject({
				status: 422,
				body: { errors: { reference_id: [expect.any(String)] } },
			});
		}
	});

	test.each([9999, 'abc', '1.5', '0x7d1'])('conversation %p is not found', async (conversation) => {
		expect((await send(text, conversation)).status).toBe(404);
	});
});

describe('session', () => {
	const advance = (hours: number) => tenant.control('POST', '/clock', { advance: { hours } });

	test('a reply within session_hours has no error', async () => {
		await advance(SESSION_HOURS - 1);
		expect(await sent(text)).not.toHaveProperty('latest_error');
	});

	test('a reply after session_hours is stored and carries latest_error', async () => {
		await advance(SESSION_HOURS + 0.1);
		const message = await sent(text);
		expect(message).toMatchObject({
			status: 'failed',
			latest_error: {
				id: expect.any(Number),
				message_id: message.id,
				type: 'session_expired',
				original_message: expect.any(String),
				user_friendly_message: expect.any(String),
				created_at: expect.any(String),
			},
		});
		expect(tenant.store.conversations.lastMessage(CONVERSATION)).toMatchObject({ id: message.id });
	});

	test('a message of the customer starts the session again, and a template does not', async () => {
		await advance(SESSION_HOURS + 1);
		await tenant.control('POST', `/conversations/${CONVERSATION}/customer-messages`, {
			text: 'Still there?',
		});
		expect(await sent(text)).toMatchObject({ status: 'created' });
		await advance(SESSION_HOURS + 1);
		await tenant.must('POST', '/chatapp/send-template', {
			customer_id: 101,
			template_name: 'opening_hours',
			template_language: 'en_US',
		});
		expect(await sent(text)).toMatchObject({ status: 'failed' });
	});
});
