import { failureOf } from '../../nodes/CustomerMessaging/api/failures.ts';
import { isPage, unwrapped } from '../../nodes/CustomerMessaging/api/responses.ts';

describe('what a response carries', () => {
	it.each<[string, unknown, unknown]>([
		['a wrapped record', { data: { id: 1 } }, { id: 1 }],
		['a wrapped list', { data: [{ id: 1 }] }, [{ id: 1 }]],
		['a wrapped nothing', { data: null }, null],
		['a wrapped record beside an ID', { id: 'answer-7', data: { id: 1 } }, { id: 1 }],
		['a bare record', { id: 1, title: 'VIP' }, { id: 1, title: 'VIP' }],
		['a record under another member', { tag: { id: 1 } }, { tag: { id: 1 } }],
		['a bare list', [{ id: 1 }], [{ id: 1 }]],
		['text', 'openapi: 3.1.0', 'openapi: 3.1.0'],
		['nothing', undefined, undefined],
		['null', null, null],
	])('is found in %s', (_, body, expected) => {
		expect(unwrapped(body)).toEqual(expected);
	});
});

it.each<[unknown, boolean]>([
	[{ success: false }, true],
	[{ success: false, message: 'No', data: [{ id: 1 }] }, true],
	[{ success: true, data: [] }, false],
	[{ success: 'false' }, false],
	[{ data: { success: false } }, false],
	[{ status: 'error', message: 'No' }, false],
	[{ error: 'No', ok: false, code: 500 }, false],
	[[], false],
	['error', false],
	[null, false],
])('a success reports a failure by success: false alone: %j', (body, isFailure) => {
	expect(failureOf('GET', '/tags/1', 200, body) !== undefined).toBe(isFailure);
});

it.each<[unknown, boolean]>([
	['\n<!doctype html><title>Log in</title>', true],
	['<html>', true],
	['openapi: 3.1.0', false],
	['{"title":"<html>"', false],
	[{ data: '<html>' }, false],
])('a page is text that begins with markup: %j', (body, expected) => {
	expect(isPage(body)).toBe(expected);
});
