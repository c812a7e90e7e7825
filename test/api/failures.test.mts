import { failureOf, isPage } from '../../nodes/CustomerMessaging/api/failures.ts';

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
