import { CHOICES, ENVELOPES } from './choices.mts';
import { WEBHOOK } from './control/controlPlane.mts';
import { SEED } from './control/seed.mts';
import type { SandboxOptions } from './server.mts';
import { problemFinder } from './validation.mts';

const text = { type: 'string', minLength: 1 };

/** What `SandboxOptions` says, as a schema: tests in JavaScript have no compiler to tell them. */
const PROPERTIES: Record<keyof SandboxOptions, object> = {
	host: text,
	port: { type: 'integer', minimum: 0, maximum: 65_535 },
	controlToken: {
		type: 'string',
		pattern: '^\\S{16,}$',
		title: 'a text of at least 16 characters without spaces',
	},
	allowedHosts: {
		type: 'array',
		items: { type: 'string', pattern: '^[^\\s/]+$', title: 'the name of a host' },
	},
	envelope: { enum: ENVELOPES },
	choices: {
		type: 'object',
		additionalProperties: false,
		properties: Object.fromEntries(Object.entries(CHOICES).map(([name, values]) => [name, { enum: values }])),
	},
	pageSize: { type: 'integer', minimum: 1 },
	webhooks: { type: 'array', items: WEBHOOK },
	description: { type: 'string' },
	seed: {
		if: { type: 'object' },
		then: SEED,
		else: { type: 'integer', minimum: 0, maximum: SEED.properties.profiles.maximum },
	},
	record: { type: 'boolean' },
};

const findProblem = problemFinder(() => ({
	type: 'object',
	additionalProperties: false,
	properties: PROPERTIES,
}));

/** @throws in one sentence, when a sandbox cannot be started like this */
export function checkOptions(options: SandboxOptions): void {
	const problem = findProblem(options);
	if (problem !== undefined) throw new Error(`A sandbox cannot be started with these options: ${problem}`);
}
