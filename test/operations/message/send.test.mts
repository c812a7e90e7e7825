import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { pixelBinary } from '../../engine/pixel.mts';
import { byId } from '../../engine/tenant.mts';
import { brokenOff, refusal, ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { rowOfSent } from '../../engine/summaryOfSent.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';
const UPLOAD = 'POST /files/temporary-upload';

/** All fields of a message, some of which are not among the main ones. */
const message = {
	id: 1,
	conversation_id: 7,
	from: 'agent',
	source: 'api',
	user_id: 2,
	contents: [],
	status: 'created',
	sent_at: null,
	latest_error: null,
	ca_template_id: null,
	ca_flow_id: 3,
};
const simplified = { id: 1, conversation_id: 7, status: 'created' };

beforeEach(() =>
	tenant.answer({
		'GET /support/allowed-mime-types': () => ({
			data: Object.fromEntries(['image', 'video', 'audio', 'document'].map((kind) => [kind, ['image/png']])),
		}),
		'GET /support/media-size-limits': () => ({ data: { temporary_upload_mb: {} } }),
		[UPLOAD]: () => ({ internal_uuid: 'file-1', url: 'https://files.example/1' }),
		[SEND]: () => ({ data: message }),
		'POST /conversations/a%2Fb/messages': () => ({ data: message }),
	}),
);

const send = { resource: 'message', operation: 'send', conversationId: '7' };
const byUrl = { mediaSource: 'url', fileUrl: 'https://shop.example/file' };
const byUuid = { mediaSource: 'uploadedFile', fileUuid: 'file-0' };
const file = { url: 'https://shop.example/file' };
const location = { messageType: 'location', latitude: '52.5200', longitude: '13.4050' };
const contact = { messageType: 'contact', contactName: 'Jo Smith' };
const custom = { messageType: 'custom', customType: byId('interactive') };

const CASES: Array<[string, INodeParameters, unknown]> = [
	['text', { messageType: 'text', text: 'Hello' }, { type: 'text', text: { content: 'Hello' } }],
	['text, unless another type is chosen', { text: 'Hello' }, { type: 'text', text: { content: 'Hello' } }],
	[
		'text that answers a message',
		{ messageType: 'text', text: 'Hello', options: { referenceId: ' 12 ' } },
		{ type: 'text', text: { content: 'Hello' }, reference_id: 12 },
	],
	[
		'text from an automation',
		{ messageType: 'text', text: 'Hello', options: { fromAutomation: true } },
		{ type: 'text', text: { content: 'Hello' }, from_automation: true },
	],
	[
		'text not from an automation',
		{ messageType: 'text', text: 'Hello', options: { fromAutomation: false } },
		{ type: 'text', text: { content: 'Hello' }, from_automation: false },
	],
	[
		'text with options that belong to other types',
		{ messageType: 'text', text: 'Hello', options: { caption: 'x', filename: 'x', voice: true } },
		{ type: 'text', text: { content: 'Hello' } },
	],
	['an image under a URL', { messageType: 'image', ...byUrl }, { type: 'image', file }],
	[
		'an uploaded image',
		{ messageType: 'image', ...byUuid },
		{ type: 'image', file: { internal_uuid: 'file-0' } },
	],
	[
		'an image with a caption',
		{ messageType: 'image', ...byUrl, options: { caption: 'Look' } },
		{ type: 'image', file, image: { caption: 'Look' } },
	],
	[
		'audio with options that belong to other types',
		{ messageType: 'audio', ...byUrl, options: { caption: 'x', filename: 'x', voice: false } },
		{ type: 'audio', file, audio: { voice: false } },
	],
	['a location', location, { type: 'location', location: { latitude: '52.5200', longitude: '13.4050' } }],
	[
		'a location in numbers',
		{ ...location, latitude: '={{ 0 }}', longitude: '={{ -122.42 }}' },
		{ type: 'location', location: { latitude: '0', longitude: '-122.42' } },
	],
	[
		'a location with further members',
		{ ...location, locationFields: '{ "name": "Shop", "floor": 2 }' },
		{ type: 'location', location: { latitude: '52.5200', longitude: '13.4050', name: 'Shop', floor: 2 } },
	],
	[
		'a location whose further members name its place too',
		{ ...location, locationFields: '{ "latitude": "1", "longitude": 2, "name": "Shop" }' },
		{ type: 'location', location: { latitude: '52.5200', longitude: '13.4050', name: 'Shop' } },
	],
	['a contact', contact, { type: 'contact', contact: { name: { formatted_name: 'Jo Smith' } } }],
	[
		'a contact with further members',
		{ ...contact, contactFields: '={{ { phones: [{ phone: "491711234567" }] } }}' },
		{
			type: 'contact',
			contact: { name: { formatted_name: 'Jo Smith' }, phones: [{ phone: '491711234567' }] },
		},
	],
	[
		'a contact with further parts of the name',
		{
			...contact,
			contactFields:
				'{ "name": { "first_name": "Jo", "formatted_name": "Nobody" }, "org": { "title": "CEO" } }',
		},
		{
			type: 'contact',
			contact: { name: { formatted_name: 'Jo Smith', first_name: 'Jo' }, org: { title: 'CEO' } },
		},
	],
	[
		'a contact whose further name is no record',
		{ ...contact, contactFields: '{ "name": "Nobody" }' },
		{ type: 'contact', contact: { name: { formatted_name: 'Jo Smith' } } },
	],
	...['={{ null }}', '={{ undefined }}', '={{ [] }}', '', '  '].flatMap((blank): typeof CASES => [
		[
			`a contact without further members: ${blank}`,
			{ ...contact, contactFields: blank },
			{ type: 'contact', contact: { name: { formatted_name: 'Jo Smith' } } },
		],
	]),
	...['', '  '].map((blank): (typeof CASES)[number] => [
		`a type of its own without a body: ${blank}`,
		{ ...custom, customBody: blank },
		{ type: 'interactive' },
	]),
	['a type of its own', custom, { type: 'interactive' }],
	[
		'a type of its own whose body names another type, and members that have an option',
		{
			...custom,
			customBody: '{ "type": "text", "reference_id": 5, "from_automation": true }',
			options: { referenceId: '6', fromAutomation: false },
		},
		{ type: 'interactive', reference_id: 6, from_automation: false },
	],
	[
		'a type of its own that has a caption, with the caption of another type',
		{ ...custom, customType: byId('image'), options: { caption: 'Look' } },
		{ type: 'image' },
	],
	[
		'a type of its own with its body',
		{ ...custom, customBody: '{ "interactive": { "list": [1] }, "reference_id": 5 }' },
		{ type: 'interactive', interactive: { list: [1] }, reference_id: 5 },
	],
	[
		'a type of its own that needs a file, without one',
		{
			...custom,
			customType: byId('image'),
			customBody: '{ "file": { "url": "https://shop.example/file" } }',
		},
		{ type: 'image', file },
	],
];

/** What can run an operation: the node itself, and n8n's routing engine where the operation is an expression. */
const ENGINES = [
	['the node', false],
	["n8n's routing engine", true],
] as const;

describe.each(ENGINES)('by %s', (_engine, byRoutingEngine) => {
	it.each(CASES)('sends %s in one request', async (_what, parameters, body) => {
		const { items, error } = await tenant.run({ ...send, ...parameters }, { byRoutingEngine });
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([{ request: SEND, body }]);
		expect(items).toEqual([{ json: rowOfSent(simplified, body), pairedItem: { item: 0 } }]);
	});

	it.each(['image', 'video', 'audio', 'document'])(
		'uploads a binary field as %s and sends it by its UUID',
		async (messageType) => {
			const items: INodeExecutionData[] = [
				{ json: {}, binary: { picture: pixelBinary, data: { ...pixelBinary, mimeType: 'text/csv' } } },
			];
			const { error } = await tenant.run(
				{ ...send, messageType, mediaSource: 'binary', binaryPropertyName: 'picture' },
				{ items, byRoutingEngine },
			);
			expect(error).toBeUndefined();
			expect([...tenant.requests].sort()).toEqual([
				'GET /support/allowed-mime-types',
				'GET /support/media-size-limits',
				SEND,
				UPLOAD,
			]);
			const upload = String(tenant.arrived.find(({ request }) => request === UPLOAD)?.body);
			expect(upload).toContain(`name="type"\r\n\r\n${messageType}\r\n`);
			expect(upload).not.toContain('name="public"');
			expect(tenant.bodies(SEND)).toEqual([{ type: messageType, file: { internal_uuid: 'file-1' } }]);
		},
	);

	it('does not call a message unclear whose upload is', async () => {
		tenant.answer({ [UPLOAD]: brokenOff });
		const { error } = await tenant.run(
			{ ...send, messageType: 'image', mediaSource: 'binary', binaryPropertyName: 'data' },
			{ items: [{ json: {}, binary: { data: pixelBinary } }], byRoutingEngine },
		);
		expect(error?.context).not.toHaveProperty('outcome');
		expect(error?.description).toContain('The message was not sent.');
		expect(error?.description).not.toContain('may have been carried out');
		expect(tenant.requests).not.toContain(SEND);
	});

	it('takes a binary field unless something else is chosen, and keeps what else is in the body', async () => {
		const { error } = await tenant.run(
			{ ...send, messageType: 'image', options: { caption: 'Look', referenceId: '12' } },
			{ items: [{ json: {}, binary: { data: pixelBinary } }], byRoutingEngine },
		);
		expect(error).toBeUndefined();
		expect(tenant.bodies(SEND)).toEqual([
			{ type: 'image', image: { caption: 'Look' }, reference_id: 12, file: { internal_uuid: 'file-1' } },
		]);
	});
});

/** What each type takes, all of it filled in, as it has to be where an expression chooses the type. */
const everything = {
	...send,
	messageType: '={{ $json.type }}',
	text: 'Hello',
	mediaSource: '={{ $json.source ?? "url" }}',
	fileUrl: 'https://shop.example/file',
	fileUuid: 'file-0',
	latitude: '52.5200',
	longitude: '13.4050',
	locationFields: '{ "name": "Shop" }',
	contactName: 'Jo Smith',
	contactFields: '{ "phones": [] }',
	customType: byId('interactive'),
	customBody: '{ "interactive": {} }',
	options: { caption: 'Look', filename: 'a.pdf', voice: true, referenceId: '12' },
};

/** What goes out for an item, whose fields choose the type. */
const CHOSEN: Array<[fields: INodeExecutionData['json'], body: object]> = [
	[{ type: 'text' }, { text: { content: 'Hello' } }],
	[{ type: 'audio' }, { file, audio: { voice: true } }],
	[{ type: 'image' }, { file, image: { caption: 'Look' } }],
	[
		{ type: 'video', source: 'uploadedFile' },
		{ file: { internal_uuid: 'file-0' }, video: { caption: 'Look' } },
	],
	[{ type: 'document' }, { file, document: { caption: 'Look', filename: 'a.pdf' } }],
	[
		{ type: 'document', source: 'binary' },
		{ file: { internal_uuid: 'file-1' }, document: { caption: 'Look', filename: 'a.pdf' } },
	],
	[{ type: 'location' }, { location: { latitude: '52.5200', longitude: '13.4050', name: 'Shop' } }],
	[{ type: 'contact' }, { contact: { name: { formatted_name: 'Jo Smith' }, phones: [] } }],
	[{ type: 'custom' }, { type: 'interactive', interactive: {} }],
];

describe.each(ENGINES)(
	'by %s, where an expression chooses the type of the message',
	(_engine, byRoutingEngine) => {
		it('each item sends what its own type takes, and nothing else', async () => {
			const { items, error } = await tenant.run(everything, {
				items: CHOSEN.map(([json]) => ({ json, binary: { data: pixelBinary } })),
				byRoutingEngine,
			});
			expect(error).toBeUndefined();
			// n8n's routing engine begins all items at once.
			expect(tenant.bodies(SEND)).toEqual(
				expect.arrayContaining(CHOSEN.map(([{ type }, body]) => ({ type, reference_id: 12, ...body }))),
			);
			expect(tenant.bodies(SEND)).toHaveLength(CHOSEN.length);
			expect(items).toEqual(
				CHOSEN.map(([{ type }, body], item) => ({
					json: rowOfSent(simplified, { type, ...body }),
					pairedItem: { item },
				})),
			);
		});

		it.each<[string, INodeExecutionData['json'], string]>([
			['no type', {}, 'Message Type is "undefined", which cannot be chosen'],
			['an empty type', { type: '' }, 'Message Type is "", which cannot be chosen'],
			['another type', { type: 'fax' }, 'Message Type is "fax", which cannot be chosen'],
			['another source', { type: 'image', source: 'disk' }, 'Media Source is "disk", which cannot be chosen'],
		])('%s is an error that names the parameter', async (_what, json, problem) => {
			const { error } = await tenant.run(everything, { items: [{ json }], byRoutingEngine });
			expect(error?.message).toBe(problem);
			expect(tenant.requests).toEqual([]);
		});

		it('what another type takes may be unusable, and what its own takes may not', async () => {
			const unusable = { ...everything, text: '={{ $json.text }}', latitude: '={{ $json.latitude }}' };
			const items = [
				{ json: { type: 'text', text: 'Hello' } },
				{ json: { type: 'location', latitude: 'north' } },
			];
			const { items: given } = await tenant.run(unusable, {
				items,
				byRoutingEngine,
				onError: 'continueRegularOutput',
			});
			expect(given).toMatchObject([
				{ json: simplified },
				{ json: { error: 'Latitude "north" is not a number of degrees between -90 and 90' } },
			]);
			expect(tenant.bodies(SEND)).toHaveLength(1);
		});

		it('an item without what its type takes is an error that names the parameter', async () => {
			const { error } = await tenant.run(
				{ ...everything, text: '={{ $json.text }}' },
				{ items: [{ json: { type: 'text' } }], byRoutingEngine },
			);
			expect(error?.message).toBe('Text is empty');
			expect(tenant.requests).toEqual([]);
		});
	},
);

describe('before anything is sent', () => {
	it.each<[string, string, unknown]>([
		['Latitude', 'latitude', 90.5],
		['Latitude', 'latitude', '-91'],
		['Longitude', 'longitude', 181],
		...['52,52', '52.5 N', '1e1', '52.5, 13.4', '.5', '5.', '+5', '0x10', true, [52]].map(
			(value): [string, string, unknown] => ['Latitude', 'latitude', value],
		),
	])('%s is not in degrees: %s is %j', async (label, name, value) => {
		const { error } = await tenant.run(
			{ ...send, ...location, [name]: '={{ $json.value }}' },
			{ items: [{ json: { value } as INodeExecutionData['json'] }] },
		);
		expect(error?.message).toContain(`${label} "`);
		expect(error?.message).toContain('is not a number of degrees between');
		expect(tenant.requests).toEqual([]);
	});

	it.each<[string, INodeParameters, string]>([
		[
			'an ID of a message that is none',
			{ options: { referenceId: 'last' } },
			'Reply To Message ID "last" is not a whole number',
		],
		[
			'further members of a location that are no JSON',
			{ ...location, locationFields: '{' },
			'Further Location Fields (JSON) is not valid JSON',
		],
		[
			'further members of a contact that are a number',
			{ ...contact, contactFields: '5' },
			'Further Contact Fields (JSON) is not a JSON object',
		],
		[
			'a body that nothing gives',
			{ ...custom, customBody: '={{ null }}' },
			'Custom Body (JSON) is not a JSON object',
		],
		['a body that is a list', { ...custom, customBody: '[1]' }, 'Custom Body (JSON) is not a JSON object'],
		['an image without a file', { messageType: 'image', mediaSource: 'binary' }, 'binary'],
		['no conversation', { conversationId: '={{ "" }}' }, 'Conversation is empty'],
		['the way to another conversation', { conversationId: '..' }, 'Conversation ".." is not an ID'],
	])('names %s', async (_what, parameters, problem) => {
		const { error } = await tenant.run({ ...send, text: 'Hello', ...parameters });
		expect(error?.message).toContain(problem);
		expect(error?.context.itemIndex).toBe(0);
		expect(tenant.requests).toEqual([]);
	});
});

describe('what comes out of a sent message', () => {
	const text = { ...send, messageType: 'text', text: 'Hello' };

	it('is no unclear outcome where it certainly was not sent', async () => {
		tenant.answer({ [SEND]: refusal(429, 'Too many requests.') });
		const { error } = await tenant.run(text);
		expect(error).toMatchObject({
			...{ httpCode: '429', message: 'Too many requests.' },
			description: expect.stringContaining('under Advanced in the credential'),
		});
		expect(error?.context).not.toHaveProperty('outcome');
		expect(tenant.requests).toEqual([SEND]);
	});

	it('names with an unclear outcome the file that was uploaded for it', async () => {
		tenant.answer({
			'GET /support/allowed-mime-types': () => ({ data: {} }),
			'GET /support/media-size-limits': () => ({ data: {} }),
			[UPLOAD]: () => ({ internal_uuid: 'file-1' }),
			[SEND]: () => '{"data":',
		});
		const { error } = await tenant.run(
			{ ...send, messageType: 'image' },
			{ items: [{ json: {}, binary: { data: pixelBinary } }] },
		);
		expect(error?.context.sent).toEqual({ type: 'image', file: { internal_uuid: 'file-1' } });
	});

	it('a conversation is part of the path', async () => {
		await tenant.run({ ...text, conversationId: ' c-42 ' });
		expect(tenant.requests).toEqual(['POST /conversations/c-42/messages']);
	});
});
