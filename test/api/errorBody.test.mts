import { fieldErrors, fieldName, serviceMessage } from '../../nodes/CustomerMessaging/api/errors.ts';

const TAKEN = 'This one belongs to somebody else.';
const SHORT = 'At least three characters are needed.';

describe('the message of the service', () => {
	it.each<[string, unknown, string]>([
		['message', { message: 'No' }, 'No'],
		['error', { error: 'No' }, 'No'],
		['message within error', { error: { message: 'No', code: 7 } }, 'No'],
		['a message with space around', { message: ' No\n' }, 'No'],
		['message, where error says something else', { message: 'No', error: 'Bad Request' }, 'No'],
		['error, where message is none', { message: { en: 'No' }, error: 'Bad Request' }, 'Bad Request'],
	])('is found in %s', (_, body, words) => {
		expect(serviceMessage(body)).toBe(words);
	});

	it.each<[string, unknown]>([
		['a page', '<html>No</html>'],
		['text that is no JSON', 'No'],
		['an empty message', { message: ' ' }],
		['a message in languages', { message: { en: 'No' } }],
		['nulls', { message: null, error: null, errors: null }],
		['a list', [{ message: 'No' }]],
		['an error with a cause of its own', { error: { cause: 'No' } }],
		['nothing', undefined],
	])('is none in %s', (_, body) => {
		expect(serviceMessage(body)).toBeUndefined();
	});
});

describe('what is wrong with fields', () => {
	const PAIRS = [
		['email', TAKEN],
		['external_id', SHORT],
	];

	it.each<[string, unknown]>([
		['texts by field', { errors: { email: TAKEN, external_id: SHORT } }],
		['lists by field', { message: 'No', errors: { email: [TAKEN], external_id: [SHORT] } }],
		['a list of fields and messages', { errors: PAIRS.map(([field, message]) => ({ field, message })) }],
		['a list of paths and details', { errors: PAIRS.map(([path, detail]) => ({ path, detail })) }],
	])('is found in %s', (_, body) => {
		expect(fieldErrors(body)).toEqual([
			{ field: 'email', problem: TAKEN },
			{ field: 'external_id', problem: SHORT },
		]);
	});

	it('is all that a list says of one field', () => {
		expect(fieldErrors({ errors: { email: [TAKEN, 7, null, ' ', SHORT] } })).toEqual([
			{ field: 'email', problem: TAKEN },
			{ field: 'email', problem: SHORT },
		]);
	});

	it.each<[string, unknown]>([
		['a text', { errors: 'No' }],
		['a list of texts', { errors: ['One', 'Two'] }],
		['entries without a field or a message', { errors: [null, 7, '', { field: 'a' }, { message: 'No' }] }],
		['numbers', { errors: { email: [5, true, null] } }],
		['empty fields', { errors: { email: [], name: {} } }],
		['other members', { details: { email: [TAKEN] }, email: [TAKEN] }],
		['a list', [{ field: 'email', message: TAKEN }]],
		['nothing', undefined],
	])('is nothing in %s', (_, body) => {
		expect(fieldErrors(body)).toEqual([]);
	});

	it('is told of names of all objects too, and does no harm', () => {
		const body: unknown = JSON.parse(
			`{"errors":{"constructor":["${TAKEN}"],"__proto__":["${TAKEN}"],"email":["${SHORT}"]}}`,
		);
		expect(fieldErrors(body)).toContainEqual({ field: 'constructor', problem: TAKEN });
		expect(fieldErrors(body)).toContainEqual({ field: 'email', problem: SHORT });
		expect(({} as { email?: unknown }).email).toBeUndefined();
	});
});

describe('the name of a field', () => {
	const labels = { display_id: 'Phone Number', 'profile.email': 'Email', 'components.0': 'Header' };

	it.each([
		['display_id', 'Phone Number'],
		['profile.email', 'Email'],
		['components.0', 'Header'],
		['customers.0.display_id', 'Phone Number (entry 1)'],
		['customers.41.profile.email', 'Email (entry 42)'],
		['display_id.3', 'Phone Number (entry 4)'],
	])('%s is %s in the editor', (field, name) => {
		expect(fieldName(labels, field)).toBe(name);
	});

	it.each([
		...['score', 'displayId', 'DISPLAY_ID', '#/display_id', 'data.display_id', 'customers.x.display_id'],
		...['customers.3.score', 'components.0.text', 'a.b.c.d', 'constructor', 'x.0.toString', '0', ''],
	])('%s stays as the service says it, since the request has no member of this name', (field) => {
		expect(fieldName(labels, field)).toBe(field);
	});

	it('has the name of its entry where a number would tell people nothing', () => {
		expect(fieldName(labels, 'customers.3.display_id', (place) => `line ${place + 2}`)).toBe(
			'Phone Number (line 5)',
		);
	});
});
