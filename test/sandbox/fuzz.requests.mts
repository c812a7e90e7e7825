import fc from 'fast-check';
import type { ContractOperation, Schema } from './contract.mts';

/** A file to upload. */
interface FormFile {
	content: string;
	mimeType: string;
	name: string;
}

/** A request made up from the contract. */
export interface Generated {
	path: string;
	token: 'admin' | 'user';
	body?: unknown;
	form?: Array<[string, string | FormFile]>;
}

/** Stand for the UUID of the demo data's picture and of a notification; filled in when a request is sent. */
export const PICTURE = '00000000-0000-4000-8000-00000000f11e';
export const NOTIFICATION = '00000000-0000-4000-8000-00000000beef';

/** Ids of the demo data by the start of a path, so that many requests get past "not found". */
const IDS: Array<[start: string, parameter: string, ids: Array<number | string>]> = [
	['/users', 'id', [1, 2, 3]],
	['/user', 'id', [1, 2, 3]],
	['/agents', 'id', [11, 12]],
	['/customers', 'id', [101, 102, 103]],
	['/profiles', 'id', [500_001, 500_002]],
	['/', 'profileId', [500_001, 500_002]],
	['/', 'activityId', [7001, 7002, 7004]],
	['/', 'tagId', [41, 42, 43]],
	['/', 'groupId', [61, 62]],
	['/', 'mediaId', [71]],
	['/', 'conversationId', [2001]],
	['/tags', 'id', [41, 42, 43]],
	['/groups', 'id', [61, 62]],
	['/media', 'id', [71]],
	['/files', 'uuid', [PICTURE]],
	['/me', 'uuid', [NOTIFICATION]],
];

const number = fc.integer({ min: 1_000_000, max: 999_999_999 }).map((digits) => `49${digits}`);
const email = fc.oneof(
	fc.constantFrom('mira@mail.example', 'sam@tenant.example'),
	number.map((digits) => `u${digits}@mail.example`),
);
const words = (texts: string[]) =>
	fc.array(fc.record({ type: fc.constant('text'), text: fc.constantFrom(...texts) }), { maxLength: 4 });

/** Bodies that are right, for operations whose rules plain chance rarely meets. */
const RIGHT: Partial<Record<string, fc.Arbitrary<object>>> = {
	createUser: fc.record({
		name: fc.constant('Noa'),
		email,
		pin: fc.integer({ min: 100_000, max: 999_999 }),
		is_admin: fc.boolean(),
	}),
	updateUser: fc.record({ email, external_id: fc.constant(null) }),
	verifyUserPin: fc.record({ pin: fc.constantFrom(246_810, 111_111) }),
	createCustomer: fc.record({ channel: fc.constant('chatapp'), display_id: number, name: fc.constant('N') }),
	bulkImportCustomers: fc.record({
		duplicates: fc.constantFrom('override', 'skip'),
		customers: fc.array(
			fc.record({
				channel: fc.constant('chatapp'),
				display_id: fc.oneof(number, fc.constantFrom('491700000001', '491700000002')),
				name: fc.constant('N'),
				profile: fc.record({
					email,
					date_of_birth: fc.constantFrom('1.1.1', '01.02.1990', '1990-02-01'),
					tags: fc.constantFrom('VIP, x', ',,'),
					marketing_opt_in: fc.constantFrom(0, 1, null),
				}),
			}),
			{ maxLength: 4 },
		),
	}),
	bulkDeleteCustomers: fc.record({ ids: fc.subarray([101, 102, 103]) }),
	syncCustomerUsers: fc.record({ user_ids: fc.subarray([1, 2, 3]) }),
	updateProfile: fc.record({
		email,
		date_of_birth: fc.constantFrom('01.02.1990', null),
		name: fc.constant('N'),
		marketing_opt_in: fc.constantFrom(0, 1, null),
	}),
	syncProfileGroups: fc.record({ groups: fc.subarray([{ id: 61 }, { id: 62 }]) }),
	syncProfileTags: fc.record({ tags: fc.subarray([{ id: 41 }, { id: null, title: 'x' }, { title: 'y' }]) }),
	syncMediaTags: fc.record({ tags: fc.subarray([{ id: 41 }, { id: null, title: 'x' }, { title: 'y' }]) }),
	createGroup: fc.record({ name: fc.constant('G'), other: fc.jsonValue() }),
	createMedia: fc.record({
		type: fc.constant('image'),
		internal_uuid: fc.constant(PICTURE),
		title: fc.constantFrom('T', null),
	}),
	createTemplate: fc.record({
		name: number,
		language: fc.constantFrom('de', 'en_US'),
		components: fc.array(
			fc.record({ type: fc.constantFrom('BODY', 'header', 'x'), text: fc.constant('{{1}}') }),
		),
		other: fc.jsonValue(),
	}),
	sendTemplate: fc.record({
		phone_number: number.map(Number),
		template_name: fc.constantFrom('opening_hours', 'order_shipped', 'welcome'),
		template_language: fc.constantFrom('en_US', 'de'),
		template_components: fc.array(
			fc.oneof(
				fc.record({ type: fc.constant('body'), parameters: words(['A', '%x%']) }),
				fc.constant({
					type: 'header',
					parameters: [{ type: 'image', image: { link: 'https://shop.example/a.jpg' } }],
				}),
				fc.record({ type: fc.constant('button'), index: fc.constantFrom(0, '0'), parameters: words(['B']) }),
			),
		),
		placeholders: fc.dictionary(fc.constantFrom('%x%', '', 'A'), fc.jsonValue()),
		from_automation: fc.boolean(),
	}),
	createConversationMessage: fc.oneof(
		fc.record({
			type: fc.constant('text'),
			text: fc.constant({ content: 'Hi' }),
			from_automation: fc.boolean(),
			reference_id: fc.constantFrom(30_001, 5),
		}),
		fc.record({
			type: fc.constant('image'),
			image: fc.constant({ caption: 'c' }),
			file: fc.constantFrom({ internal_uuid: PICTURE }, { url: 'https://shop.example' }),
		}),
		fc.record({ type: fc.constant('location'), location: fc.constant({ latitude: '1', longitude: '2' }) }),
		fc.record({ type: fc.constant('contact'), contact: fc.constant({ name: { formatted_name: 'F' } }) }),
	),
};

const TEXTS = [
	'chatapp',
	'sms',
	'mira@mail.example',
	'491700000001',
	'4915112345678',
	'1990-04-12',
	'31.12.1999',
	'en_US',
	'text',
	'name:asc,id:desc',
	'VIP, New',
];

const anyId = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.constantFrom(...IDS.flatMap(([, , ids]) => ids).filter((id) => typeof id === 'number')),
	},
	{ weight: 1, arbitrary: fc.integer() },
	{ weight: 1, arbitrary: fc.constantFrom(0, -1, 2 ** 31, 2 ** 53, 1e300) },
);
const anyText = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
	{ weight: 1, arbitrary: fc.string() },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'',
			' ',
			'%',
			"'; DROP TABLE users; --",
			'\u0000',
			'../../etc/passwd',
			'{{1}}',
			'x'.repeat(5000),
		),
	},
);

/** Values that have the form of a schema. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
	if (schema.enum) return fc.constantFrom(...schema.enum);
	return fc.oneof(...[schema.type ?? 'anything'].flat().map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
	switch (type) {
		case 'integer':
			return schema.minimum === undefined ? anyId : fc.integer({ min: schema.minimum, max: schema.maximum });
		case 'number':
			return fc.oneof(number.map(Number), fc.double(), anyId);
		case 'string':
			return anyText;
		case 'boolean':
			return fc.boolean();
		case 'null':
			return fc.constant(null);
		case 'array':
			return fc.array(value(schema.items ?? {}), { maxLength: 5 });
		case 'object':
			return object(schema);
		default:
			return fc.jsonValue();
	}
}

function object({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<object> {
	const known = fc.record(
		Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, value(schema)])),
		{ requiredKeys: required, noNullPrototype: true },
	);
	if (additionalProperties === false) return known;
	const names = fc.oneof(
		fc.string(),
		fc.constantFrom('name', 'title', 'language', 'id', 'components', '__proto__'),
	);
	const others = fc.dictionary(names, fc.jsonValue(), { maxKeys: 2 });
	return fc
		.tuple(known, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: others }))
		.map(([first, second]) => ({ ...second, ...first }));
}

/** Mostly of the right form, now and then anything at all. */
function value(schema: Schema): fc.Arbitrary<unknown> {
	return fc.oneof({ weight: 12, arbitrary: fitting(schema) }, { weight: 1, arbitrary: fc.jsonValue() });
}

/** A body: by chance, or a right one of which some members are replaced or taken away. */
function jsonBody(operationId: string, schema: Schema): fc.Arbitrary<unknown> {
	const right = RIGHT[operationId];
	if (!right) return value(schema);
	const changes = fc.record(
		Object.fromEntries(
			Object.entries(schema.properties ?? {}).map(([name, member]) => [name, value(member)]),
		),
		{ requiredKeys: [], noNullPrototype: true },
	);
	const few = fc.tuple(changes, fc.nat(), fc.nat({ max: 2 })).map(([all, start, count]) => {
		const entries = Object.entries(all);
		return Object.fromEntries(
			entries.length === 0
				? []
				: Array.from({ length: count }, (_, index) => entries[(start + index) % entries.length]),
		);
	});
	const changed = fc.tuple(right, few).map(([body, change]) => ({ ...body, ...change }));
	return fc.oneof(
		{ weight: 3, arbitrary: right },
		{ weight: 3, arbitrary: changed },
		{ weight: 1, arbitrary: value(schema) },
	);
}

const form: fc.Arbitrary<Generated['form']> = fc
	.tuple(
		fc.constantFrom('image', 'video', 'audio', 'document', 'document', 'song'),
		fc.constantFrom('0', '1', undefined, 'yes'),
		fc.record({
			content: fc.string({ maxLength: 2000 }),
			mimeType: fc.constantFrom(
				'text/plain',
				'image/png',
				'video/quicktime',
				'audio/ogg',
				'application/x-unknown',
				'',
			),
			name: anyText,
		}),
		fc.array(fc.tuple(fc.constantFrom('type', 'public', 'file', 'other'), anyText), { maxLength: 2 }),
	)
	.map(([type, isPublic, file, others]) => [
		...others,
		['type', type] as const,
		...(isPublic === undefined ? [] : [['public', isPublic] as const]),
		['file', file] as const,
	])
	.chain((parts) =>
		fc.shuffledSubarray(
			parts.map(([name, part]): [string, string | FormFile] => [name, part]),
			{ minLength: Math.max(0, parts.length - 1) },
		),
	);

const asText = (part: unknown): string => (typeof part === 'string' ? part : JSON.stringify(part ?? ''));

/** Without halves of surrogate pairs, which no address can hold. */
const inPath = (part: unknown): string =>
	encodeURIComponent(
		asText(part)
			.replace(/[\ud800-\udfff]/g, '?')
			.slice(0, 90) || 'x',
	);

/** The path with its parameters filled in, most of the time with ids that exist, and any query. */
function address({ path, parameters }: ContractOperation): fc.Arbitrary<string> {
	const ids = parameters
		.filter((parameter) => parameter.in === 'path')
		.map(({ name }) => {
			const known = IDS.find(([start, parameter]) => parameter === name && path.startsWith(start))?.[2] ?? [
				1,
			];
			const odd = fc.oneof({ weight: 1, arbitrary: anyId }, { weight: 1, arbitrary: anyText });
			return fc
				.oneof({ weight: 5, arbitrary: fc.constantFrom<unknown>(...known) }, { weight: 1, arbitrary: odd })
				.map((id) => [name, id] as const);
		});
	const query = fc.record(
		Object.fromEntries(
			parameters
				.filter((parameter) => parameter.in === 'query')
				.map(({ name, schema }) => [name, fitting(schema)]),
		),
		{ requiredKeys: [] },
	);
	const odd = fc.dictionary(
		fc.constantFrom('page', 'cursor', 'offset', 'limit', 'per_page', 'odd'),
		anyText,
		{ maxKeys: 2 },
	);
	return fc.tuple(fc.tuple(...ids), query, odd).map(([pairs, asked, more]) => {
		const filled = pairs.reduce((text, [name, id]) => text.replace(`{${name}}`, inPath(id)), path);
		const search = new URLSearchParams(
			Object.entries({ ...more, ...asked }).map(([name, part]): [string, string] => [name, asText(part)]),
		);
		return `${filled}?${search.toString()}`;
	});
}

/** Requests to an operation: many right, many nearly right, some absurd. */
export function requestsTo(operation: ContractOperation): fc.Arbitrary<Generated> {
	const { operationId, requestBody } = operation;
	const json = requestBody?.content['application/json']?.schema;
	const isForm = requestBody?.content['multipart/form-data'] !== undefined;
	return fc.record({
		path: address(operation),
		token: fc.constantFrom('admin', 'admin', 'admin', 'user'),
		body: json ? jsonBody(operationId, json) : fc.constantFrom(undefined, undefined, {}, 'text', [1]),
		...(isForm && { body: fc.constant(undefined), form }),
	});
}
