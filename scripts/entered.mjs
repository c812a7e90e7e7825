// node scripts/entered.mjs [walk]: how many functions of the build one item of each walk enters, by V8's precise coverage; their
// names too for a walk that is named.
import { execFileSync } from 'node:child_process';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

const BUILT = new URL('../dist/', import.meta.url);
const load = createRequire(BUILT);
const byId = (value) => ({ __rl: true, mode: 'id', value });

/** Operations, and what the tenant answers each of their requests. */
const ACTIONS = {
	create: [
		{
			resource: 'customer',
			operation: 'create',
			channel: 'chatapp',
			displayId: '+49 171 1234567',
			name: 'Jo',
		},
		{ data: { id: 1 } },
	],
	get: [{ resource: 'tag', operation: 'get', tagId: byId(1) }, { data: { id: 1 } }],
	page: [
		{ resource: 'customer', operation: 'getAll', returnAll: false, limit: 50 },
		{ data: [{ id: 1 }], links: { next: null } },
	],
	template: [
		{
			...{ resource: 'message', operation: 'sendTemplate', recipient: 'phoneNumber', agentId: byId(1) },
			...{ phoneNumber: '+49 171 1234567', templateName: byId('welcome'), templateLanguage: 'en' },
			...{ variablesMode: 'form', variables: { mappingMode: 'defineBelow', value: { body_1: 'Jo' } } },
		},
		{ data: { id: 1, status: 'created' } },
	],
};

const DELIVERY = { event: 'new-agent-message', message: { id: 1, from: 'agent', status: 'created' } };
const TRIGGER = { event: 'newAgentMessage', authentication: 'credential', output: 'message' };

/** Stands for n8n. */
const contextOf = (type, parameters, more) => ({
	getNode: () => ({
		...{ type: `n8n-nodes-customer-messaging.${type}`, typeVersion: 1, name: 'Node', parameters },
		credentials: { customerMessagingApi: { id: '1' }, customerMessagingWebhookApi: { id: '1' } },
	}),
	getWorkflow: () => ({ id: '1' }),
	getMode: () => 'webhook',
	getTimezone: () => 'utc',
	continueOnFail: () => false,
	addExecutionHints() {},
	...more,
});

const valueOf = (parameters, name, fallback) =>
	name.split('.').reduce((value, part) => value?.[part], parameters) ?? fallback;

function action(node, [parameters, body]) {
	const [run, ofNode] = [{}, {}];
	const context = contextOf('customerMessaging', parameters, {
		getNodeParameter: (name, _item, fallback) => valueOf(parameters, name, fallback),
		getInputData: () => [{ json: {} }],
		getCredentials: async () => ({ tenantDomain: 'acme.example', accessToken: 'a-token' }),
		getExecuteData: () => run,
		getContext: () => ofNode,
		getExecutionCancelSignal() {},
		helpers: {
			returnJsonArray: (items) => items,
			httpRequestWithAuthentication: async () => ({
				statusCode: 200,
				headers: {},
				body: Readable.from([Buffer.from(JSON.stringify(body))], { objectMode: false }),
			}),
		},
	});
	const { resource, operation } = parameters;
	return () => node.customOperations[resource][operation].call(context);
}

function delivery(node) {
	const request = {
		headers: { 'content-type': 'application/json', 'x-secret': 'a-secret' },
		readRawBody: async () => (request.rawBody = Buffer.from(JSON.stringify(DELIVERY))),
	};
	const staticData = {};
	const context = contextOf('customerMessagingTrigger', TRIGGER, {
		getNodeParameter: (name, fallback) => valueOf(TRIGGER, name, fallback),
		getCredentials: async () => ({ method: 'headerSecret', headerName: 'X-Secret', secret: 'a-secret' }),
		getRequestObject: () => request,
		getResponseObject: () => ({ once() {} }),
		getHeaderData: () => request.headers,
		getWorkflowStaticData: () => staticData,
	});
	return () => node.webhook.call(context);
}

const built = (name) => new (load(`./nodes/CustomerMessaging/${name}.node.js`)[name])();
const node = built('CustomerMessaging');
const walks = Object.fromEntries(Object.entries(ACTIONS).map(([name, given]) => [name, action(node, given)]));
walks.delivery = delivery(built('CustomerMessagingTrigger'));

/** The functions that a walk enters. */
async function entered(walk) {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await walk();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	return result
		.filter(({ url }) => url.startsWith(BUILT.href))
		.flatMap(({ functions }) => functions.filter(({ ranges: [{ count }] }) => count > 0))
		.map(({ functionName }) => functionName || '(anonymous)');
}

const [, file, name] = process.argv;
if (name) {
	const names = await entered(walks[name]);
	console.log(`${names.join('\n')}\n${name}: ${names.length} functions`);
} else {
	// Each in a process of its own, which nothing has warmed.
	for (const one of Object.keys(walks))
		console.log(execFileSync(process.execPath, [file, one], { encoding: 'utf8' }).trim().split('\n').at(-1));
}
