import { FAILSAFE_SCHEMA, load, Type } from 'js-yaml';

/** Deeper nesting than any description has. */
const DEEPEST = 100;

/** Uses of anchors. A description that a generator wrote has none. */
const MOST_ALIASES = 10_000;

/** Characters of a text that aliases may repeat: as keys they would be copied each time. */
const LONGEST_ANCHORED = 1000;

const CONSTANTS = new Map<unknown, unknown>([
	['', null],
	['~', null],
	['null', null],
	['Null', null],
	['NULL', null],
	['true', true],
	['True', true],
	['TRUE', true],
	['false', false],
	['False', false],
	['FALSE', false],
]);

const NUMBER = /^([-+]?(\.\d+|\d+(\.\d*)?)(e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+)$/i;

/** What is not in quotes and no text: the core schema of YAML 1.2, with the types that JSON has too. */
const plain = new Type('tag:yaml.org,2002:plain', {
	kind: 'scalar',
	resolve: (text) => text === null || CONSTANTS.has(text) || NUMBER.test(text),
	construct: (text) => (text === null || CONSTANTS.has(text) ? (CONSTANTS.get(text) ?? null) : Number(text)),
});

/** `<<`, which people go on writing. */
const merge = new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text) => text === '<<' });

const SCHEMA = FAILSAFE_SCHEMA.extend({ implicit: [plain, merge] });

/**
 * Reads YAML 1.2, of which JSON is a part. What an anchor names is shared, not copied, however often it is used.
 *
 * @throws Error for what is not YAML, and for what is only made to wear a parser out
 */
export function parseYaml(text: string): unknown {
	let aliases = 0;
	return load(text, {
		schema: SCHEMA,
		json: true,
		maxDepth: DEEPEST,
		maxTotalMergeKeys: MOST_ALIASES,
		listener: (event, { kind, anchor, result }) => {
			if (event === 'open') return;
			if (kind === null && result !== null && ++aliases > MOST_ALIASES) throw new Error('Too many aliases');
			if (anchor !== null && typeof result === 'string' && result.length > LONGEST_ANCHORED) {
				throw new Error('Too long a text to repeat');
			}
		},
	});
}
