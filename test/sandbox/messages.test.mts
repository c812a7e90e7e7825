import { CHANNELS, MEGABYTE } from '../../sandbox/choices.mts';
import { type Data, type Fields, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();

const HOURS = CHANNELS.find(({ channel }) => channel === 'chatapp')?.session_hours ?? 0;
const TEXT = { type: 'text', text: { content: 'Hello' } };
const send = (fields: object) => tenant.ask('POST', '/conversations/2001/messages', fields);
const sent = async (fields: object) => ((await send(fields)).body as Data<Fields>).data;
const fileOf = async (type: string, mimeType: string, size = 10) => {
	const file = { content: new Uint8Array(size), mimeType, name: 'f' };
	const { body } = await upload(tenant, uploadForm({ type }, file));
	return { internal_uuid: (body as { internal_uuid: string }).internal_uuid };
};

describe('messages of a conversation', () => {
	test('a text message is stored and answered in data', async () => {
		const message = await sent(TEXT);
		expect(message).toEqual({
			...{ id: 30_004, conversation_id: 2001, from: 'agent', source: 'api', user_id: 1, contents: [TEXT] },
			...{ status: 'created', sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
		});
		expect(tenant.store.conversations.lastMessage(2001)).toEqual(message);
	});

	test.each([
		['video', 'video/mp4', { caption: 'Look' }],
		['audio', 'audio/ogg', { voice: true }],
		['document', 'application/pdf', { filename: 'a.pdf', caption: 'Read' }],
	])('a %s message takes an uploaded file of an allowed mime type', async (type, mimeType, details) => {
		const { contents } = await sent({ type, [type]: details, file: await fileOf(type, mimeType) });
		expect(contents).toMatchObject([{ type, [type]: details, file: { mime_type: mimeType, size: 10 } }]);
	});

	test('a media message takes an address, or a file of its own kind within the regular limit', async () => {
		const file = { url: 'https://shop.example/a.jpg' };
		expect((await sent({ type: 'image', file })).contents).toMatchObject([{ type: 'image', file }]);
		const text = await fileOf('document', 'text/plain');
		expect((await send({ type: 'image', file: text })).status).toBe(422);
		const large = await fileOf('video', 'video/mp4', 17 * MEGABYTE);
		expect((await send({ type: 'video', file: large })).status).toBe(413);
	});

	test('locations and contacts keep their further members', async () => {
		const location = { latitude: '52.5', longitude: '13.4', name: 'Shop' };
		expect(await sent({ type: 'location', location })).toMatchObject({ contents: [{ location }] });
		const contact = { name: { formatted_name: 'Sam Service', suffix: 'x' }, phones: [{ phone: '1' }] };
		expect(await sent({ type: 'contact', contact })).toMatchObject({ contents: [{ contact }] });
	});

	test('reference_id must be a message of the same conversation', async () => {
		expect(await sent({ ...TEXT, reference_id: 30_001 })).toMatchObject({ reference: { id: 30_001 } });
		const plain = { template_name: 'opening_hours', template_language: 'en_US' };
		await tenant.must('POST', '/chatapp/send-template', { customer_id: 102, ...plain });
		for (const reference_id of [30_005, 999_999]) {
			const errors = { reference_id: [expect.any(String)] };
			expect(await send({ ...TEXT, reference_id })).toMatchObject({ status: 422, body: { errors } });
		}
	});
});

describe('the session of a conversation', () => {
	test('a reply within its hours has no error, and one after them is stored with latest_error', async () => {
		tenant.clock.advance({ hours: HOURS - 1 });
		expect(await sent(TEXT)).not.toHaveProperty('latest_error');
		tenant.clock.advance({ hours: 1.1 });
		const message = await sent(TEXT);
		const error = { message_id: message.id, type: 'session_expired', original_message: expect.any(String) };
		expect(message).toMatchObject({ status: 'failed', latest_error: error });
		expect(tenant.store.conversations.lastMessage(2001)).toEqual(message);
	});

	test('starts again when the customer writes, and not by a template', async () => {
		tenant.clock.advance({ hours: HOURS + 1 });
		const plain = { template_name: 'opening_hours', template_language: 'en_US' };
		await tenant.must('POST', '/chatapp/send-template', { customer_id: 101, ...plain });
		expect(await sent(TEXT)).toMatchObject({ status: 'failed' });
		await tenant.control('POST', '/conversations/2001/customer-messages', { text: 'Still there?' });
		expect(await sent(TEXT)).toMatchObject({ status: 'created' });
	});
});
