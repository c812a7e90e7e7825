import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { type Kind } from './kinds.mts';
import { NEAR_VALUES } from './nearValues.mts';
import { ODD_VALUES } from './oddValues.mts';
import { isWhole } from './shownParameters.mts';
import { OWN_VALUE } from './valueMatrix.mts';

/** A table that people read: where it stands, what comes before it, and the columns of each kind of parameter. */
export interface Table {
	file: string;
	introduction: string;
	columnsOf: (kind: Kind) => string[];
}

/** What became of each value, in the order of the columns. */
export interface TableRow {
	/** Operation and path of the parameter. */
	name: string;
	kind: Kind;
	outcomes: string[];
}

const inThisFolder = (name: string) => path.join(import.meta.dirname, name);

const ODD_COLUMNS = [...ODD_VALUES.map(({ name }) => name), OWN_VALUE];

/** What becomes of the values that an expression can give, whatever it is meant for. */
export const ODD_TABLE: Table = {
	file: inThisFolder('table.md'),
	columnsOf: () => ODD_COLUMNS,
	introduction: `# What becomes of a value

Each parameter of each operation, given by an expression that gives the value above. \`npm run generate\` writes this table, a test
compares it. Rows that are the same in all columns are one row.

- text in quotes, a number or a list: what goes out, or what the value is taken for
- \`absent\`: as if the parameter were not there
- \`error\`: nothing is written, and the error names the parameter
- \`as typed\`: as if a person had typed the value
- ✗: wrong: \`nameless\` is an error that does not name the parameter, \`late error\` one after something
  was written, \`refused\` an error for what is a good value, \`empty\` an update without a field, else what went out
`,
};

/** What becomes of values that are nearly what a parameter takes. */
export const NEAR_TABLE: Table = {
	file: inThisFolder('nearValues.md'),
	columnsOf: (kind) => NEAR_VALUES[kind].map(({ name }) => name),
	introduction: `# What becomes of a value that is nearly right

Each parameter of each operation, with values that are close to what its kind takes. Where what a person types in becomes
something else than what an expression gives, both stand there. \`npm run generate\` writes this table, a test compares it. Rows
that are the same in all columns are one row. [The other table](table.md) says how to read it. Besides:

- \`told\`: left out, and the item that comes out says so
- \`untold\`: left out without a word
- \`–\`: the value says nothing about this parameter
- \`#\` before digits: a whole number that JavaScript would round

IDs 7 and 8 stand for two IDs that make a difference. The tenant has a tag VIP, and no tag Returns.
`,
};

/** Operations of one resource next to each other: "user: get, update". */
function together(operations: string[]): string {
	const byResource = new Map<string, string[]>();
	for (const operation of operations) {
		const [resource, name] = operation.split(': ');
		byResource.set(resource, [...(byResource.get(resource) ?? []), name]);
	}
	return [...byResource].map(([resource, names]) => `${resource}: ${names.join(', ')}`).join('; ');
}

const cellText = (text: string) => text.replaceAll('|', '\\|');

const line = (cells: string[]) => `| ${cells.map(cellText).join(' | ')} |`;

/** The text of a table, with equal rows put together. */
export function textOf({ introduction, columnsOf }: Table, rows: TableRow[]): string {
	const groups = new Map<string, { kind: Kind; parameters: Map<string, string[]>; outcomes: string[] }>();
	for (const { name, kind, outcomes } of rows) {
		const key = JSON.stringify([kind, outcomes]);
		const group = groups.get(key) ?? { kind, parameters: new Map<string, string[]>(), outcomes };
		groups.set(key, group);
		const [, operation, path] = /^(\S+ \S+) (.*)$/.exec(name) ?? [];
		group.parameters.set(path, [...(group.parameters.get(path) ?? []), operation]);
	}
	const sorted = [...groups.values()].sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
	const kinds = [...new Set(sorted.map(({ kind }) => kind))];
	const tables = kinds.map((kind) => {
		const lines = sorted
			.filter((group) => group.kind === kind)
			.map(({ parameters, outcomes }) => {
				const names = [...parameters].map(([path, operations]) => `\`${path}\` (${together(operations)})`);
				return line([names.join('<br>'), ...outcomes]);
			});
		return [
			`## ${kind}`,
			'',
			line(['Parameter', ...columnsOf(kind).map((name) => `\`${name}\``)]),
			line(['Parameter', ...columnsOf(kind)].map(() => '---')),
			...lines,
			'',
		].join('\n');
	});
	return [
		introduction,
		'<!-- prettier-ignore-start -->',
		'',
		...tables,
		'<!-- prettier-ignore-end -->',
		'',
	].join('\n');
}

const CELL_END = ' | ';

/** The outcomes of each row of a table, by kind and name. */
function rowsIn(text: string): Map<string, string[]> {
	const rows = new Map<string, string[]>();
	let kind = '';
	for (const line of text.split('\n')) {
		kind = /^## (.*)$/.exec(line)?.[1] ?? kind;
		if (!line.startsWith('| `')) continue;
		const [names, ...outcomes] = line.slice('| '.length, -' |'.length).split(CELL_END);
		for (const [, path, resources] of names.matchAll(/`([^`]*)` \(([^)]*)\)/g)) {
			for (const one of resources.split('; ')) {
				const [resource, operations] = one.split(': ');
				for (const operation of operations.split(', '))
					rows.set(`${kind}: ${resource}: ${operation} ${path}`, outcomes);
			}
		}
	}
	return rows;
}

/**
 * What differs from the table that is committed, in sentences. With `WRITE_MATRIX=1` it is written first.
 *
 * @throws Error when a part of the table was to be written
 */
export function differencesOf(table: Table, rows: TableRow[]): string[] {
	if (process.env.WRITE_MATRIX === '1') {
		if (!isWhole) throw new Error('A part of the table cannot be written: leave out MATRIX_FILTER.');
		writeFileSync(table.file, textOf(table, rows));
	}
	const name = `test/generated/matrix/${path.basename(table.file)}`;
	const [made, committed] = [rowsIn(textOf(table, rows)), rowsIn(readFileSync(table.file, 'utf8'))];
	const columnOf = (row: string, index: number) => table.columnsOf(row.split(': ')[0] as Kind)[index];
	return [
		...[...made].flatMap(([row, outcomes]) => {
			const known = committed.get(row);
			const at = known ? outcomes.findIndex((outcome, index) => outcome !== known[index]) : 0;
			if (at < 0) return [];
			const before = known ? `, not ${known[at]}` : ' and was not there';
			const remedy = known
				? 'mend the conversion of that field, or run npm run generate if this is wanted'
				: 'run npm run generate';
			return [`${name}: ${row} = ${columnOf(row, at)} is ${outcomes[at]}${before}; ${remedy}`];
		}),
		...[...committed.keys()]
			.filter((row) => isWhole && !made.has(row))
			.map((row) => `${name}: there is no ${row} any more; run npm run generate`),
	];
}
