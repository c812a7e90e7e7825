import { fieldErrors, fieldName, serviceMessage } from '../../nodes/CustomerMessaging/api/errorBody.ts';
import { CountedVisits } from '../generated/hostile/countedVisits.mts';

const LONG = 'x'.repeat(500);
const TAKEN = 'This one belongs to somebody else.';
const SHORT = 'At least three characters are needed.';

describe('the words of the service', () => {
	it.each<[string, unknown, string | undefined]>([
		['message', { message: 'No' }, 'No'],
		['error', { error: 'No' }, 'No'],
		['detail', { detail: 'No' }, 'No'],
		['title', { title: 'No' }, 'No'],
		['error_description', { error_description: 'No' }, 'No'],
		['msg', { msg: 'No' }, 'No'],
		['message within error', { error: { message: 'No', code: 7 } }, 'No'],
		['message within data', { data: { message: 'No' } }, 'No'],
		['plain text', 'No', 'No'],
		['text with space around', ' No\n', 'No'],
		['a message with space around', { message: ' No ' }, 'No'],
		['a message in languages', { message: { en: 'No' } }, undefined],
		['a list of texts', ['No', 'Never'], 'No\nNever'],
		['signs that nobody sees', 'N\0o\u001b[31m\u202eon\tway\r\nback', 'N o [31m on\tway \nback'],
		['a list with something else in it', ['No', 7], 'No'],
		['500 letters', LONG, LONG],
	])('are found in %s', (_, body, words) => {
		expect(serviceMessage(body)).toBe(words);
	});

	it.each<[string, unknown]>([
		['a page', '<html>No</html>'],
		['a page behind a line break', '\n <html>No</html>'],
		['more than 500 letters, which is a page', `${LONG}x`],
		['spaces', '   '],
		['an empty message', { message: '' }],
		['a number', 7],
		['null', null],
		['nulls', { message: null, errors: null, detail: null, title: null }],
		['nothing', undefined],
		['an empty list', []],
		['something else', { status: 'No' }],
	])('are none in %s', (_, body) => {
		expect(serviceMessage(body)).toBeUndefined();
	});

	it('are taken where they come first: message, error, detail, title', () => {
		const all = { msg: 'f', error_description: 'e', title: 'd', detail: 'c', error: 'b', message: 'a' };
		expect(serviceMessage(all)).toBe('a');
		expect(serviceMessage({ ...all, message: undefined })).toBe('b');
		expect(serviceMessage({ ...all, message: '', error: null })).toBe('c');
		expect(serviceMessage({ ...all, message: 1, error: {}, detail: [] })).toBe('d');
	});
});

/** The usual bodies that name two fields, one of them of two words. */
const BODIES: Record<string, unknown> = {
	'a message, and lists by field': {
		message: `${TAKEN} (and 1 more error)`,
		errors: { email: [TAKEN], external_id: [SHORT] },
	},
	'errors by field as texts': { errors: { email: TAKEN, external_id: SHORT } },
	'the fields alone': { email: [TAKEN], external_id: [SHORT] },
	'a list of details and pointers': {
		title: 'Your request is not valid.',
		status: 422,
		errors: [
			{ detail: TAKEN, pointer: '#/email' },
			{ detail: SHORT, pointer: '#/external_id' },
		],
	},
	'invalid-params with names and reasons': {
		title: 'Your request is not valid.',
		'invalid-params': [
			{ name: 'email', reason: TAKEN },
			{ name: 'external_id', reason: SHORT },
		],
	},
	'pointers within a source': {
		errors: [
			{ title: 'Invalid Attribute', detail: TAKEN, source: { pointer: '/data/attributes/email' } },
			{ title: 'Invalid Attribute', detail: SHORT, source: { pointer: '/data/attributes/external_id' } },
		],
	},
	'parameters within a source': {
		errors: [
			{ detail: TAKEN, source: { parameter: 'email' } },
			{ detail: SHORT, source: { parameter: 'external_id' } },
		],
	},
	'a message, and a list in data': {
		message: 'Invalid',
		data: [
			{ field: 'email', message: TAKEN },
			{ field: 'external_id', message: SHORT },
		],
	},
	'a list of fields and messages': {
		errors: [
			{ field: 'email', message: TAKEN },
			{ field: 'external_id', message: SHORT },
		],
	},
	'a list alone': [
		{ field: 'email', message: TAKEN },
		{ field: 'external_id', message: SHORT },
	],
	'other words for field and message': {
		errors: [
			{ path: 'email', msg: TAKEN },
			{ param: 'external_id', detail: SHORT },
		],
	},
	'error with details': {
		error: {
			message: 'Invalid',
			details: [
				{ field: 'email', message: TAKEN },
				{ field: 'external_id', message: SHORT },
			],
		},
	},
	'a list of steps and msg in detail': {
		detail: [
			{ loc: ['body', 'email'], msg: TAKEN, type: 'value_error' },
			{ loc: ['body', 'external_id'], msg: SHORT, type: 'value_error' },
		],
	},
	'violations with propertyPath and title': {
		title: 'Validation Failed',
		violations: [
			{ propertyPath: 'email', title: TAKEN },
			{ propertyPath: 'external_id', title: SHORT },
		],
	},
	'errors in data': { data: { errors: { email: [TAKEN], external_id: [SHORT] } } },
	'errors with objects': { errors: { email: [{ message: TAKEN }], external_id: [{ message: SHORT }] } },
	'errors within errors': { errors: { email: { message: TAKEN }, external_id: { message: SHORT } } },
	'other names for errors': { fields: { email: TAKEN, external_id: SHORT, score: 7, none: null } },
};

describe('what is wrong with fields', () => {
	it.each(Object.entries(BODIES))('is found as of %s, with the names of the editor', (_name, body) => {
		const labels = { email: 'Email', external_id: 'External ID' };
		const told = fieldErrors(body).map(({ field, problem }) => `${fieldName(labels, field)}: ${problem}`);
		expect(told).toEqual([`Email: ${TAKEN}`, `External ID: ${SHORT}`]);
	});

	it.each<[string, unknown, string[]]>([
		['a list of texts', { errors: ['One', ' Two '] }, [': One', ': Two']],
		['a text', { errors: 'No' }, [': No']],
		['a list with gaps', { errors: [null, 7, '', { field: 'a' }, 'One'] }, [': One']],
		['numbers', { message: 5, errors: { email: [5, true, null] } }, []],
		['empty fields', { errors: { email: [], name: {} } }, []],
		[
			'a name of all objects',
			{ errors: { constructor: ['No'], toString: ['No'] } },
			['constructor: No', 'toString: No'],
		],
		[
			'steps to a place',
			{ detail: [{ loc: ['customers', 2, null, 'email'], msg: 'No' }] },
			['customers.2.email: No'],
		],
		['nothing', undefined, []],
		['a text by field, and nothing else', { email: 'taken', status: 'error' }, ['email: taken']],
		...['message', 'messages', 'error'].map((name): [string, unknown, string[]] => [
			`lists by field in ${name}`,
			{ [name]: { email: ['taken'] } },
			['email: taken'],
		]),
		['a target', { error: { message: 'No', details: [{ target: 'a', message: 'taken' }] } }, ['a: taken']],
		['an attribute', { errors: [{ attribute: 'a', message: 'taken' }] }, ['a: taken']],
		['a text alone', 'text', []],
		['a number', { errors: 7 }, []],
		['an empty list', [], []],
	])('in %s is %j', (_name, body, told) => {
		expect(fieldErrors(body).map(({ field, problem }) => `${field}: ${problem}`)).toEqual(told);
	});

	it('__proto__ does no harm', () => {
		const body: unknown = JSON.parse(`{"errors":{"__proto__":["${TAKEN}"],"email":["${SHORT}"]}}`);
		expect(fieldErrors(body)).toContainEqual({ field: 'email', problem: SHORT });
		expect(({} as { email?: unknown }).email).toBeUndefined();
	});
});

describe('the name of a field', () => {
	const labels = {
		display_id: 'Phone Number',
		'profile.email': 'Email',
		'text.content': 'Text',
		'components.0.type': 'First Component',
	};

	it.each([
		['display_id', 'Phone Number'],
		['displayId', 'Phone Number'],
		['/data/attributes/display_id', 'Phone Number'],
		['#/display-id', 'Phone Number'],
		['customers.0.display_id', 'Phone Number (entry 1)'],
		['customers[41].display_id', 'Phone Number (entry 42)'],
		['customers.0.profile.email', 'Email (entry 1)'],
		['profile.3.email', 'Email (entry 4)'],
		['text.content', 'Text'],
		['components.0.type', 'First Component'],
		['score', 'score'],
		['a.b.c.d', 'a.b.c.d'],
		['customers.*.x', 'customers.*.x'],
		['constructor', 'constructor'],
		['toString', 'toString'],
		['0', '0'],
		['*', '*'],
	])('%s is shown as %s', (path, name) => {
		expect(fieldName(labels, path)).toBe(name);
	});

	it('is looked for in 200 characters, and not in more, which are no member of a request', () => {
		const long = `display_id.${'x'.repeat(189)}`;
		expect(fieldName(labels, long)).toBe('Phone Number');
		expect(fieldName(labels, `${long}x`)).toBe(`${long}x`);
	});

	it('stays as it is where nothing is known of the request', () => {
		expect(fieldName({}, 'display_id')).toBe('display_id');
	});
});

/** Objects within each other. */
function nested(levels: number, innermost: unknown): unknown {
	let value = innermost;
	for (let level = 0; level < levels; level++) value = { errors: value, message: value };
	return value;
}

describe('of a body that is made to cost much', () => {
	const fields = (count: number, name = 'f') =>
		Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, ['No']]));

	it.each<[string, unknown, lines: number, message: number]>([
		['100 fields', { errors: fields(100) }, 100, 0],
		['many fields', { errors: fields(20_000) }, 100, 0],
		['many messages', Array.from({ length: 200_000 }, () => ({ message: 'No' })), 0, 299],
		['a list of lists', { errors: Array.from({ length: 1000 }, () => Array(1000).fill('No')) }, 100, 0],
		['levels', nested(50_000, 'No'), 0, 0],
		['a long message', { message: 'No '.repeat(5_000_000) }, 0, 20_000],
		['spaces', { message: ' '.repeat(20_000_000) }, 0, 0],
	])('%s: little is looked at and told', (_what, body, lines, message) => {
		const visits = new CountedVisits();
		const view = visits.view(body);
		expect(fieldErrors(view)).toHaveLength(lines);
		expect(serviceMessage(view) ?? '').toHaveLength(message);
		expect(visits.count).toBeLessThan(30_000);
	});
});
