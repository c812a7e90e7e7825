// node scripts/entered.mjs: how many functions of the build one item of Customer: Create enters, by V8's precise coverage.
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

const BUILT = new URL('../dist/', import.meta.url);

const parameters = {
	...{ resource: 'customer', operation: 'create', channel: 'chatapp' },
	...{ displayId: '+49 171 1234567', name: 'Jo' },
};

/** Stands for n8n, and for a tenant that creates the customer. */
const node = { type: 'n8n-nodes-customer-messaging.customerMessaging', typeVersion: 1, parameters };
const [run, ofNode] = [{}, {}];
const context = {
	getNode: () => node,
	getInputData: () => [{ json: {} }],
	getNodeParameter: (name, _item, fallback) =>
		name.split('.').reduce((value, part) => value?.[part], parameters) ?? fallback,
	getCredentials: async () => ({ tenantDomain: 'acme.example', accessToken: 'a-token' }),
	getExecuteData: () => run,
	getContext: () => ofNode,
	getExecutionCancelSignal() {},
	getTimezone: () => 'utc',
	continueOnFail: () => false,
	addExecutionHints() {},
	helpers: {
		httpRequestWithAuthentication: async () => ({
			statusCode: 201,
			headers: {},
			body: Readable.from([Buffer.from('{"data":{"id":1}}')], { objectMode: false }),
		}),
	},
};

const load = createRequire(BUILT);
const built = load('./nodes/CustomerMessaging/CustomerMessaging.node.js');
// The first item of a process loads it.
load('./shared/flows.js');
const { create } = new built.CustomerMessaging().customOperations.customer;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await create.call(context);
const { result } = await session.post('Profiler.takePreciseCoverage');
const entered = result
	.filter(({ url }) => url.startsWith(BUILT.href))
	.flatMap(({ functions }) => functions.filter(({ ranges: [{ count }] }) => count > 0));
console.log(entered.map(({ functionName }) => functionName || '(anonymous)').join('\n'));
console.log(`${entered.length} functions`);
