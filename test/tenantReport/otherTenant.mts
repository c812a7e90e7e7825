import { type Differences, each, inData, refuse, type TOLD, without } from './differingTenant.mts';

type Json = Record<string, unknown>;

/** What a tenant answers that reads the interface in its own way: values in other types, forms and places. */
export const OTHER_DIFFERENCES: Differences = {
	'GET /support/openapi': (passing) =>
		Object.assign(passing, { type: 'application/json', text: '{"openapi":"3.0.0","paths":{}}' }),
	'GET /support/channels': (passing) =>
		each(passing, (record) => ({
			...without(record, 'conversation_capabilities'),
			session_hours: '24',
			gdpr_approved: 1,
		})),
	'GET /support/activity-types': (passing) =>
		(passing.json.data = passing.json.data.map(({ type }) => type) as never),
	'GET /support/allowed-mime-types': (passing) => inData(passing, { document: undefined }),
	'GET /support/media-size-limits': (passing) =>
		inData(passing, { regular_mb: { image: '5 MB', video: 16, audio: 16, document: 100 } }),
	'GET /support/chatapp-template-languages': (passing) =>
		(passing.json.data = { de: 'German', en: 'English' } as never),
	'GET /me': (passing) => inData(passing, { roles: 'admin,user', uses_personal_access_token: undefined }),
	'GET /me/notifications': (passing) => each(passing, (record) => without(record, 'uuid')),
	'GET /users': (passing) => {
		const { data, ...others } = passing.json;
		passing.json = { ...others, users: data } as never;
	},
	'GET /settings/general': (passing) => (passing.json.data = [] as never),
	'GET /settings/third-party': (passing) => refuse(passing, 405),
	'GET /settings/crm': (passing) => (passing.json.data = null as never),
	'GET /agents': (passing) => each(passing, (record) => ({ ...record, bot_id: { id: 5 } })),
	'GET /customers': ({ json }) => {
		for (const record of json.data) record.display_id = Number(record.display_id);
		json.links = { ...(json.links as Json), next: '/third-party/v1/customers?page=2' };
		json.meta = { ...(json.meta as Json), total: '3' };
	},
	'GET /customers/{id}/users': (passing) => (passing.json.meta = { total: 1 }),
	'GET /profiles': (passing) => {
		const { searchParams } = passing.url;
		if (searchParams.has('order_by')) refuse(passing, 500);
		else if (!searchParams.has('search'))
			each(passing, (record) => ({ ...record, date_of_birth: '12.04.1990', marketing_opt_in: true }));
	},
	'GET /profiles/{id}': (passing) =>
		inData(passing, { phone_number: undefined, updated_at: 'Tue, 24 Nov 2026 12:00:00 GMT' }),
	'GET /profiles/{id}/marketing-opt-in': (passing) => inData(passing, { is_opted_in: 1 }),
	'GET /profiles/{profileId}/activities': (passing) => (passing.json = { data: passing.json.data }),
	'GET /profiles/{profileId}/activities/{activityId}': (passing) =>
		(passing.json.data = [passing.json.data] as never),
	'GET /profiles/{profileId}/tags': (passing) =>
		Object.assign(passing.json, { next_cursor: 'x', has_more: true }),
	'GET /profiles/{profileId}/groups': (passing) => (passing.json.data = null as never),
	'GET /tags': (passing) => each(passing, ({ title, ...record }) => ({ ...record, name: title })),
	'GET /groups': (passing) => (passing.status = 206),
	'GET /groups/{id}': (passing) => {
		if (JSON.stringify(passing.json).includes('Regulars'))
			passing.text = Buffer.from('{"data":{"id":1,"name":"Münze"}}', 'latin1');
	},
	'GET /groups/{groupId}/profiles': (passing) => each(passing, (record) => without(record, 'id')),
	'GET /media': (passing) =>
		each(passing, (record) => ({ ...record, type: String(record.type).toUpperCase(), filename: 17 })),
	'GET /media/{id}': (passing) => {
		if (!JSON.stringify(passing.json).includes('delete me')) passing.reply.header('content-encoding', 'gzip');
	},
	'GET /files/{uuid}/temporary-url': ({ json }) => Object.assign(json, { url: '/files/x' }),
	'POST /tags': (passing) => (passing.status = 202),
	'PATCH /tags/{id}': ({ json }) => (json.title = 'an older title'),
	'DELETE /tags/{id}': (passing) => (passing.json = { message: 'Deleted' } as never),
	'PATCH /groups/{id}': (passing) => (passing.json = { data: passing.json } as never),
	'POST /files/temporary-upload': ({ json }) => Object.assign(json, { size: '68', public: 'yes' }),
	'PATCH /media/{id}': (passing) => refuse(passing, 409),
	'PATCH /profiles/{id}': (passing) => Object.assign(passing, { status: 204, text: '' }),
	'DELETE /customers/{id}': (passing) => (passing.status = 202),
};

/** What people have to read in a report of that tenant. */
export const OTHER_TOLD: typeof TOLD = [
	['GET /support/openapi', 'copes', 'content type application/json'],
	['GET /support/channels', 'copes', '`data[].conversation_capabilities`: no such member'],
	['GET /support/channels', 'copes', '`data[].session_hours`: text'],
	['GET /support/channels', 'copes', '`data[].gdpr_approved`: number'],
	['GET /support/activity-types', 'copes', '`data[]`: text'],
	['GET /support/allowed-mime-types', 'copes', '`data.document`: no such member'],
	['GET /support/media-size-limits', 'copes', '`data.regular_mb.image`: text'],
	['GET /support/chatapp-template-languages', 'breaks', 'an object with 2 further members: 2 texts'],
	['GET /me', 'copes', '`data.roles`: text'],
	['GET /me', 'copes', '`data.uses_personal_access_token`: no such member'],
	['GET /me/notifications', 'copes', '`data[].uuid`: no such member'],
	['GET /users', 'breaks', 'an object with links (object), meta (object), 1 further member: 1 list'],
	['GET /settings/general', 'breaks', 'list'],
	['GET /settings/third-party', 'breaks', 'status 405 Method Not Allowed'],
	['GET /settings/crm', 'breaks', 'null'],
	['GET /agents', 'copes', '`data[].bot_id`: object'],
	['GET /customers', 'copes', '`data[].display_id`: number'],
	['GET /customers', 'copes', 'links without a host'],
	['GET /customers', 'copes', '`total`: text'],
	['GET /customers/{id}/users', 'copes', '`data` (list), meta (object)'],
	['GET /profiles', 'copes', '`date_of_birth`: DD.MM.YYYY'],
	['GET /profiles', 'copes', '`data[].marketing_opt_in`: boolean'],
	['GET /profiles', 'copes', '`order_by` is refused'],
	['GET /profiles/{id}', 'unknown', 'never `data.phone_number`'],
	['GET /profiles/{id}', 'unknown', '`updated_at`: a text in another form'],
	['GET /profiles/{id}/marketing-opt-in', 'copes', '`data.is_opted_in`: number'],
	['GET /profiles/{profileId}/activities', 'copes', '`data` in an envelope with no members'],
	['GET /profiles/{profileId}/activities/{activityId}', 'breaks', 'list'],
	[
		'GET /profiles/{profileId}/tags',
		'copes',
		'a page: `data` (list), next_cursor (text), has_more (boolean)',
	],
	['GET /profiles/{profileId}/groups', 'breaks', 'null'],
	['GET /tags', 'breaks', '`data[].title`: no such member'],
	['GET /groups', 'copes', 'status 206 Partial Content'],
	['GET /groups/{id}', 'breaks', 'bytes that are not UTF-8, or not compressed as their header says'],
	['GET /groups/{groupId}/profiles', 'unknown', 'never `data[].id`'],
	['GET /media', 'unknown', '`data[].type`: another value'],
	['GET /media', 'copes', '`data[].filename`: number'],
	['GET /media/{id}', 'breaks', 'bytes that are not UTF-8, or not compressed as their header says'],
	['GET /files/{uuid}/temporary-url', 'unknown', '`url`: an address without a host'],
	['POST /tags', 'copes', 'status 202 Accepted'],
	['PATCH /tags/{id}', 'breaks', '`title`: another value'],
	['DELETE /tags/{id}', 'copes', 'status 200 OK with other JSON'],
	['PATCH /groups/{id}', 'copes', 'the content within `data`'],
	['POST /files/temporary-upload', 'copes', '`size`: text'],
	['POST /files/temporary-upload', 'copes', '`public`: text'],
	['PATCH /media/{id}', 'breaks', 'status 409 Conflict'],
	['PATCH /profiles/{id}', 'copes', 'status 204 No Content'],
	['DELETE /customers/{id}', 'copes', 'status 202 Accepted with an empty list'],
];
