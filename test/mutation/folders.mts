const node = 'nodes/CustomerMessaging';
const files = (folder: string, names: string[]) => names.map((name) => `${node}/${folder}/${name}.ts`);
const testsIn = (...rooms: string[]) => rooms.map((room) => `test/${room}/**/*.test.mts`);

/** Decide whom to message and what to delete. */
const guards = [
	...files('core', ['batches']),
	...files('messages', ['consentGuard', 'send', 'sendMessage', 'sendOnce', 'sendTemplate', 'sentMemory']),
	...files('values', ['ids', 'phoneNumber']),
	...files('sets', ['idSets', 'tags']),
	...files('customers', ['bulkDelete']),
	...files('messages/template', ['templateParts', 'templatePreview']),
];

const api = [`${node}/api/**/*.ts`];
const trigger = [`${node}/trigger/**/*.ts`, `${node}/CustomerMessagingTrigger.node.ts`];
const credentials = ['credentials/**/*.ts'];

/** Names, defaults and conditions of all parameters. */
const stored = 'test/compatibility/storedParameters.test.mts';

/** What each operation does, and what several of them have in common. */
const operations = testsIn('core', 'messages', 'operations', 'people', 'values');

export interface MutatedFolder {
	/** Patterns of the sources. */
	mutate: string[];
	/** Patterns of the suites that have to notice. */
	tests: string[];
	/** The percentage of mutants that they have to notice at least. */
	target: number;
	/** The part of the time of all suites that a mutant may take. Of small suites, a small part would be a few tests only. */
	share: number;
	/** How many mutants are tried, where there are too many. */
	sample?: number;
}

/** What can be mutated, by the name that `npm run test:mutation` takes. */
export const folders: Record<string, MutatedFolder> = {
	api: {
		mutate: api,
		tests: testsIn('api', 'core', 'credentials', 'operations/profile'),
		target: 90,
		share: 0.06,
	},
	trigger: { mutate: trigger, tests: [...testsIn('trigger'), stored], target: 90, share: 0.25 },
	credentials: { mutate: credentials, tests: [...testsIn('credentials'), stored], target: 90, share: 1 },
	guards: { mutate: guards, tests: [...operations, stored], target: 90, share: 0.06 },
	elsewhere: {
		mutate: [`${node}/**/*.ts`, ...[...api, ...trigger, ...guards].map((pattern) => `!${pattern}`)],
		tests: [
			...operations,
			...testsIn('credentials', 'editor', 'files', 'n8nInternals', 'polling', 'sendAndWait'),
			...['test/contract/coverage.test.mts', stored],
		],
		target: 80,
		share: 0.06,
		sample: 300,
	},
};
