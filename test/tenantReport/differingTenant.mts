import { PREFIX } from '../../sandbox/contract.mts';
import { operationOf } from '../../scripts/tenantReport/differences.mts';
import type { TestTenant } from '../sandbox/tenant.mts';
import { type Passing, startPassing } from './passing.mts';

type Json = Record<string, unknown>;

export const each = (passing: Passing, change: (record: Json, at: number) => Json) => {
	passing.json = { ...passing.json, data: passing.json.data.map(change) };
};
export const inData = (passing: Passing, change: Json) => {
	passing.json = { ...passing.json, data: { ...(passing.json.data as unknown as Json), ...change } } as never;
};
export const without = (record: Json, name: string): Json =>
	Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

export const refuse = (passing: Passing, status: number) =>
	Object.assign(passing, { status, json: { message: 'No.' } });

/** What a tenant changes in a response, by request. */
export type Differences = Record<string, (passing: Passing) => unknown>;

/** In what this tenant differs. */
export const DIFFERENCES: Differences = {
	'GET /support/openapi': (passing) =>
		Object.assign(passing, { text: '<html>Sign in</html>', type: 'text/html' }),
	'GET /support/channels': (passing) => (passing.json = passing.json.data as never),
	'GET /support/activity-types': (passing) => refuse(passing, 404),
	'GET /support/allowed-mime-types': (passing) => inData(passing, { image: 'image/png' }),
	'GET /support/media-size-limits': (passing) => inData(passing, { regular_mb: null }),
	'GET /support/chatapp-pricing': (passing) => (passing.text = '{"data":{"pricing":['),
	'GET /support/chatapp-template-languages': (passing) =>
		Object.assign(passing, { status: 403, json: { fault: { code: 7 } } }),
	'GET /me': (passing) => (passing.json = passing.json.data as never),
	'GET /me/notifications': (passing) => (passing.type = 'text/html'),
	'GET /users': (passing) => (passing.json = { data: passing.json.data, page_info: { has_more: true } }),
	'GET /users/{id}': (passing) => refuse(passing, 500),
	'GET /settings/general': async () => await new Promise((resolve) => setTimeout(resolve, 3_100)),
	'GET /settings/third-party': ({ reply }) => reply.raw.destroy(),
	'GET /settings/crm': (passing) => (passing.text = `${'{"data":'.repeat(300)}1${'}'.repeat(300)}`),
	'GET /agents': (passing) => (passing.json = { items: passing.json.data } as never),
	'GET /customers': (passing) => {
		each(passing, ({ display_id, ...record }) => ({
			...record,
			id: String(record.id),
			displayId: display_id,
		}));
		passing.json.links = { ...(passing.json.links as Json), next: 'http://backend.example/customers?page=2' };
	},
	'GET /customers/{id}': (passing) => inData(passing, { created_at: '2026-11-01 10:00:00', name: undefined }),
	'GET /customers/{id}/users': (passing) => Object.assign(passing, { status: 204, text: '' }),
	'GET /profiles': (passing) => {
		const { searchParams } = passing.url;
		if (searchParams.has('per_page')) refuse(passing, 422);
	},
	'GET /profiles/{id}': (passing) =>
		inData(passing, { date_of_birth: '12/04/1990', created_at: 1_700_000_000, name: { first: 'a' } }),
	'GET /profiles/{id}/marketing-opt-in': (passing) =>
		Object.assign(passing.json, { data: { id: 1, latest_opt_in_at: 'yesterday', latest_opt_out_at: null } }),
	'GET /profiles/{profileId}/activities': (passing) => each(passing, (record) => without(record, 'type')),
	'GET /profiles/{profileId}/activities/{activityId}': (passing) => {
		passing.status = 301;
		passing.reply.header('location', 'https://other.example/');
	},
	'GET /profiles/{profileId}/tags': (passing) => each(passing, (record) => ({ ...record, title: null })),
	'GET /profiles/{profileId}/groups': (passing) => (passing.json.data = { vip: { id: 1 } } as never),
	'GET /tags': (passing) => passing.json.data.reverse(),
	'GET /tags/{id}': (passing) => {
		if (passing.status === 200) passing.json.total = 1;
		else Object.assign(passing, { status: 200, json: { success: false, error: 'none' } });
	},
	'GET /groups': (passing) => passing.json.data.push(passing.json.data[0]),
	'GET /groups/{id}': (passing) => (passing.text = `\uFEFF${JSON.stringify(passing.json)}`),
	'GET /groups/{groupId}/profiles': (passing) => (passing.text = 'none'),
	'GET /media': (passing) => each(passing, (record) => ({ ...record, type: 'sticker' })),
	'GET /media/{id}': (passing) => (passing.status = 202),
	'GET /media/{mediaId}/tags': (passing) =>
		(passing.text = JSON.stringify(passing.json).replace(/"id":\d+/, '"id":12345678901234567890')),
	'GET /files/{uuid}': (passing) => Object.assign(passing, { status: 404, text: '{"message":"Gone."}' }),
	'GET /files/{uuid}/temporary-url': (passing) => (passing.json = {} as never),
	'GET /templates': (passing) =>
		(passing.json = {
			data: passing.json.data,
			next_cursor: 'abc',
			next_page_url: null,
			prev_cursor: null,
			prev_page_url: null,
			path: '',
			per_page: 2,
		}),
	'POST /tags': (passing) => Object.assign(passing, { status: 201, json: { data: passing.json } }),
	'PATCH /tags/{id}': (passing) => Object.assign(passing, { text: '' }),
	'POST /media/{mediaId}/tags': (passing) => (passing.json = { success: true } as never),
	'DELETE /tags/{id}': (passing) => Object.assign(passing, { status: 204, text: '' }),
	'DELETE /groups/{id}': (passing) => Object.assign(passing, { text: '<html></html>', type: 'text/html' }),
	'POST /customers': (passing) => Object.assign(passing, { status: 409, json: { error: { code: 'x' } } }),
};

/** What people have to read in a report of that tenant: the consequence, the request, and what came. */
export const TOLD: Array<[request: string, consequence: 'breaks' | 'copes' | 'unknown', came: string]> = [
	['GET /support/openapi', 'breaks', 'a page of HTML'],
	['GET /support/channels', 'copes', 'the content without `data`'],
	['GET /support/activity-types', 'breaks', 'status 404 Not Found'],
	['GET /support/allowed-mime-types', 'copes', '`data.image`: text'],
	['GET /support/media-size-limits', 'copes', '`data.regular_mb`: null'],
	['GET /support/chatapp-pricing', 'breaks', 'JSON that is cut off'],
	['GET /support/chatapp-template-languages', 'unknown', 'status 403 Forbidden'],
	[
		'GET /support/chatapp-template-languages',
		'unknown',
		'a failure as an object with 1 further member: 1 object, in which the node finds no message',
	],
	['GET /me', 'copes', 'the content without `data`'],
	['GET /me/notifications', 'copes', 'content type text/html'],
	['GET /users', 'copes', '`data` in an envelope with page_info (object)'],
	['GET /users', 'breaks', 'an envelope that says that more follows, but not how'],
	['GET /users/{id}', 'unknown', 'status 500 Internal Server Error'],
	['GET /settings/general', 'copes', 'a response after more than 3 s'],
	['GET /settings/third-party', 'breaks', 'no response: it closed the connection without an answer'],
	['GET /settings/crm', 'unknown', 'JSON with more than 200 levels'],
	['GET /agents', 'breaks', 'an object with items (list)'],
	['GET /customers', 'copes', 'IDs as text'],
	['GET /customers', 'copes', '`data[].display_id`: it is called `displayId`'],
	['GET /customers', 'copes', 'links to another address'],
	['GET /customers', 'unknown', 'no records on the next page'],
	['GET /customers/{id}', 'copes', '`created_at`: a time as in SQL, without a time zone'],
	['GET /customers/{id}', 'unknown', 'never `data.name`'],
	['GET /customers/{id}/users', 'breaks', 'status 204 No Content'],
	['GET /profiles', 'copes', '`per_page` is taken differently by different lists'],
	['GET /profiles/{id}', 'copes', '`date_of_birth`: a date with slashes'],
	['GET /profiles/{id}', 'copes', '`created_at`: seconds since 1970'],
	['GET /profiles/{id}', 'copes', '`data.name`: object'],
	['GET /profiles/{id}/marketing-opt-in', 'breaks', '`data.is_opted_in`: no such member'],
	['GET /profiles/{id}/marketing-opt-in', 'unknown', '`latest_opt_in_at`: a text in another form'],
	['GET /profiles/{profileId}/activities', 'copes', '`data[].type`: no such member'],
	['GET /profiles/{profileId}/activities/{activityId}', 'breaks', 'status 301 Moved Permanently'],
	['GET /profiles/{profileId}/tags', 'breaks', '`data[].title`: null'],
	['GET /profiles/{profileId}/groups', 'breaks', 'an object with 1 further member: 1 object'],
	['GET /tags', 'copes', 'tags in another order'],
	['GET /tags/{id}', 'copes', 'a failure with status 200 OK'],
	['GET /tags/{id}', 'copes', '`data` (object), total (number)'],
	['GET /groups', 'breaks', 'an ID more than once'],
	['GET /groups/{id}', 'copes', 'JSON after a byte order mark'],
	['GET /groups/{groupId}/profiles', 'breaks', 'something other than JSON'],
	['GET /media', 'unknown', '`data[].type`: another value'],
	['GET /media/{id}', 'copes', 'status 202 Accepted'],
	['GET /media/{mediaId}/tags', 'breaks', 'numbers with too many digits'],
	['GET /files/{uuid}', 'unknown', 'status 404 Not Found'],
	['GET /files/{uuid}/temporary-url', 'breaks', '`url`: no such member'],
	['GET /templates', 'copes', 'the envelope `cursor`'],
	['GET /templates', 'breaks', 'the same page again'],
	['POST /tags', 'copes', 'status 201 Created'],
	['POST /tags', 'copes', 'the content within `data`'],
	['PATCH /tags/{id}', 'copes', 'an empty body'],
	['POST /media/{mediaId}/tags', 'copes', 'an object with success (boolean)'],
	['DELETE /tags/{id}', 'copes', 'status 204'],
	['DELETE /groups/{id}', 'breaks', 'status 200 OK with a page of HTML'],
	['POST /customers', 'breaks', 'status 409 Conflict'],
	[
		'POST /customers',
		'unknown',
		'a failure as an object with error (object), in which the node finds no message',
	],
];

/** A tenant like a sandbox, which differs from it. */
export const startDiffering = async (behind: TestTenant, differences: Differences) =>
	await startPassing(behind, async ({ method }, pass) => {
		const passing = await pass();
		const operation = operationOf(method, passing.url.pathname.slice(PREFIX.length));
		await differences[`${operation?.method} ${operation?.path}`]?.(passing);
		return passing;
	});
