const node = 'nodes/CustomerMessaging';
const files = (folder, names) => names.map((name) => `${node}/${folder}/${name}.ts`);

/** Decide whom to message and what to delete. */
const guards = [
	...files('runner', ['batches']),
	...files('messaging', ['consentGuard', 'loopGuard', 'sendMessage', 'sentMemory']),
	...files('values', ['ids', 'phoneNumber']),
	...files('fields', ['changeSet']),
	...files('tags', ['tagDirectory', 'tagFlows', 'tagSet']),
	...files('resources/customer', ['bulkDelete.operation', 'delete.operation']),
	...files('messaging/preview', ['templatePreview', 'templatePrice', 'templateRendering']),
	...files('resources/message', ['previewTemplate.operation', 'send.operation', 'sendTemplate.operation']),
];

const transport = [`${node}/transport/**/*.ts`];
const trigger = [`${node}/trigger/**/*.ts`, `${node}/CustomerMessagingTrigger.node.ts`];
const credentials = ['credentials/**/*.ts'];

/** Names, defaults and conditions of all parameters. */
const stored = 'test/compatibility/storedParameters.test.mts';

/**
 * What can be mutated, by the name that `npm run test:mutation` takes.
 *
 * `mutate` are the sources, `tests` the suites that have to notice, `target` the percentage of mutants that they have to
 * notice at least. Of `elsewhere` a sample is taken, the same each time.
 */
export const folders = {
	transport: {
		mutate: transport,
		tests: ['test/nodes/transport/**/*.test.mts', 'test/nodes/guards/sets.test.mts'],
		target: 90,
	},
	trigger: { mutate: trigger, tests: ['test/nodes/trigger/**/*.test.mts', stored], target: 90 },
	credentials: { mutate: credentials, tests: ['test/credentials/**/*.test.mts', stored], target: 90 },
	guards: {
		mutate: guards,
		tests: ['test/nodes/{guards,messaging,resources,values}/**/*.test.mts', stored],
		target: 90,
	},
	elsewhere: {
		mutate: [`${node}/**/*.ts`, ...[...transport, ...trigger, ...guards].map((pattern) => `!${pattern}`)],
		tests: ['test/nodes/**/*.test.mts', 'test/contract/coverage.test.mts', stored],
		target: 80,
		sample: 300,
	},
};
