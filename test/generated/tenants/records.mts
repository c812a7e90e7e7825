import fc from 'fast-check';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** What a tenant stores, as it stands in an answer. */
export type StoredRecord = Record<string, Json>;

/** What all records of a tenant have in common, small enough to be read in a failure. */
export interface RecordForm {
	kind: RecordKind;
	/** Members that every record has beside its own. */
	more: StoredRecord;
}

const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const value: fc.Arbitrary<Json> = fc.oneof(
	plain,
	fc.array(plain),
	fc.dictionary(fc.string(), plain, { noNullPrototype: true }),
);

/** Some members of these names, with any values. */
function named(...names: string[]): fc.Arbitrary<StoredRecord> {
	return fc
		.uniqueArray(fc.tuple(fc.constantFrom(...names), value), {
			selector: ([name]) => name,
			minLength: 1,
			maxLength: names.length,
		})
		.map((members) => Object.fromEntries(members));
}

/** Without `data` and `success`: a bare record that has them of its own cannot be told from an envelope. */
const ENVELOPE_NAMES = [
	'meta',
	'links',
	'total',
	'next',
	'next_page_url',
	'current_page',
	'last_page',
	'has_more',
	'length',
	'message',
	'errors',
	'status',
];

/** The members beyond `id` and `name`, for each kind of record. */
const MORE_OF_KIND = {
	plain: fc.constant({}),
	'IDs as text': fc.constant({}),
	'UUIDs as IDs': fc.constant({}),
	'some members absent': fc.constant({}),
	nulls: named('email', 'tags', 'external_id').map((more) => ({ ...more, bot_id: null, latest_error: null })),
	'nested objects': fc.record({
		reference: fc.dictionary(fc.constantFrom('a', 'b', 'data', 'id'), value, { maxKeys: 3 }),
		contents: fc.array(value, { maxLength: 3 }),
	}) as fc.Arbitrary<StoredRecord>,
	'text of all scripts': fc.dictionary(
		fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
		fc.string({ unit: 'grapheme', maxLength: 8 }),
		{ minKeys: 1, maxKeys: 3 },
	),
	"members named like n8n's own": named('json', 'binary', 'pairedItem', 'error', 'item', 'index'),
	"members named like an envelope's": named(...ENVELOPE_NAMES),
	"members named like JavaScript's own": named('constructor', 'toString', 'hasOwnProperty', 'then'),
} satisfies Record<string, fc.Arbitrary<StoredRecord>>;

export type RecordKind = keyof typeof MORE_OF_KIND;

export const RECORD_KINDS = Object.keys(MORE_OF_KIND) as RecordKind[];

/** Any form of these kinds. */
export function recordForms(kinds: RecordKind[]): fc.Arbitrary<RecordForm> {
	return fc
		.constantFrom(...kinds)
		.chain((kind) =>
			fc.record({ kind: fc.constant(kind), more: MORE_OF_KIND[kind] as fc.Arbitrary<StoredRecord> }),
		);
}

function idOf(kind: RecordKind, index: number): StoredRecord {
	if (kind === 'IDs as text') return { id: String(index + 1) };
	if (kind === 'UUIDs as IDs') return { id: `0b54a000-7c3e-4d1a-9f00-${String(index).padStart(12, '0')}` };
	return { id: index + 1 };
}

/** The record of a tenant at that place of its list, counted from 0. No two are alike. */
export function recordAt({ kind, more }: RecordForm, index: number): StoredRecord {
	const isShort = kind === 'some members absent' && index % 2 === 1;
	return {
		...idOf(kind, index),
		...(isShort ? { nick: `R${index}` } : { name: `Record ${index}`, title: `Record ${index}` }),
		...more,
	};
}
