import path from 'node:path';

import { ODD_VALUES } from './oddValues';
import { type Cell, type MatrixRow, OWN_VALUE } from './valueMatrix';

export const TABLE_FILE = path.join(__dirname, 'table.md');

const COLUMNS = [...ODD_VALUES.map(({ name }) => name), OWN_VALUE];

const INTRODUCTION = `# What becomes of a value

Each parameter of each operation, given by an expression that gives the value above. \`npm run matrix\` writes this table, a test
compares it. Rows that are the same in all columns are one row.

- text in quotes, a number or a list: what goes out, or what the value is taken for
- \`absent\`: as if the parameter were not there
- \`error\`: nothing is written, and the error names the parameter
- \`as typed\`: as if a person had typed the value
- ✗: wrong today, on the list of open failures: \`nameless\` is an error that does not name the parameter, \`late error\` one after something
  was written, \`refused\` an error for what is a good value, \`empty\` an update without a field, else what went out
`;

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

/** The table that people read, with equal rows put together. */
export function matrixTable(rows: Array<{ row: MatrixRow; cells: Cell[] }>): string {
	const groups = new Map<string, { kind: string; parameters: Map<string, string[]>; outcomes: string[] }>();
	for (const { row, cells } of rows) {
		const outcomes = cells.map(({ outcome }) => outcome);
		const key = JSON.stringify([row.kind, outcomes]);
		const group = groups.get(key) ?? { kind: row.kind, parameters: new Map<string, string[]>(), outcomes };
		groups.set(key, group);
		const [, operation, path] = /^(\S+ \S+) (.*)$/.exec(row.name) ?? [];
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
			line(['Parameter', ...COLUMNS.map((name) => `\`${name}\``)]),
			line(['Parameter', ...COLUMNS].map(() => '---')),
			...lines,
			'',
		].join('\n');
	});
	return [
		INTRODUCTION,
		'<!-- prettier-ignore-start -->',
		'',
		...tables,
		'<!-- prettier-ignore-end -->',
		'',
	].join('\n');
}
