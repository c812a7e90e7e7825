import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { advanced } from '../../nodes/CustomerMessaging/api/credential.ts';
import { REFUSALS } from '../../nodes/CustomerMessaging/trigger/refusals.ts';
import { expectNone } from '../engine/expectNone.mts';
import { projectFolder, readDocument } from './markdown.mts';

/** The rows of the tables whose first heading is this, as their cells. */
const rowsOf = (file: string, heading: string): string[][] =>
	readDocument(file)
		.split(/\n\n/)
		.filter((block) => new RegExp(`^\\| ${heading} +\\|`).test(block))
		.flatMap((table) => table.trim().split('\n').slice(2))
		.map((line) =>
			line
				.split(/(?<!\\)\|/)
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);

/** The texts of a source file, or of all in a folder. */
function sourcesOf(file: string): string[] {
	const full = path.join(projectFolder, 'nodes/CustomerMessaging', file);
	if (!statSync(full).isDirectory()) return [readFileSync(full, 'utf8')];
	return readdirSync(full).map((name) => readFileSync(path.join(full, name), 'utf8'));
}

/** The numbers that a source has, and those that its constants multiply or divide. */
function numbersOf(source: string): Set<number> {
	const known = new Map<string, number>();
	for (const [, name, text] of source.matchAll(/\bconst ([A-Z_]+) = ([\w\s*/.+-]+);/g)) {
		const parts = text
			.replace(/\b[A-Z_]+\b/g, (other) => String(known.get(other) ?? NaN))
			.replaceAll('_', '');
		const [first, ...rest] = parts.split(/ ([*/]) /);
		const value = rest.reduce(
			(sum, part, index) =>
				index % 2 ? (rest[index - 1] === '*' ? sum * Number(part) : sum / Number(part)) : sum,
			Number(first),
		);
		if (!Number.isNaN(value)) known.set(name, value);
	}
	const written = [...source.matchAll(/\b\d[\d_]*(?:\.\d+)?(?:e\d+)?\b/g)].map(([one]) =>
		Number(one.replaceAll('_', '')),
	);
	return new Set([...known.values(), ...written]);
}

/** What a number in a document may be in code, by the unit behind it. */
const UNITS: Record<string, number[]> = {
	...{ kB: [1024, 1000], KB: [1024, 1000], MB: [1024 ** 2, 1e6], GB: [1024 ** 3], million: [1e6] },
	...{ s: [1000], seconds: [1000], min: [60_000], minutes: [60_000], hour: [3_600_000], hours: [3_600_000] },
};

/** Each figure of a text: as it is written, and what it may be in code. */
const figuresOf = (text: string) =>
	[...text.matchAll(/(?<![a-zA-Z])(\d[\d,]*)(?: ([a-zA-Z]+))?/g)].map(([written, digits, unit = '']) => {
		const number = Number(digits.replaceAll(',', ''));
		return { written, values: [number, ...(UNITS[unit] ?? []).map((factor) => factor * number)] };
	});

it('each figure of the table of bounds is one of its files', () => {
	const rows = rowsOf('docs/maintainers/bounds.md', 'What');
	expect(rows.length).toBeGreaterThan(20);
	expectNone(
		rows.flatMap(([what, limit, , where]) => {
			const files = [...where.matchAll(/`([^`]+)`/g)].map(([, file]) => file);
			const known = numbersOf(files.flatMap(sourcesOf).join('\n'));
			return figuresOf(limit)
				.filter(({ values }) => !values.some((value) => known.has(value)))
				.map(({ written }) => `docs/maintainers/bounds.md: ${what}: ${written} is not in ${where}`);
		}),
	);
});

it('each setting of the credential has the default and the range that the document says', () => {
	const settings = (advanced.options as Array<{ values: INodeProperties[] }>).flatMap(({ values }) => values);
	const written = rowsOf('docs/values.md', 'Field').filter(([name]) =>
		settings.some(({ displayName }) => displayName === name),
	);
	const said = (value: unknown) =>
		typeof value === 'number' ? value.toLocaleString('en') : value ? 'on' : '';
	expect(written.map(([name, usual, range]) => [name, usual.replace(/^(off|none)$/, ''), range])).toEqual(
		settings.map(({ displayName, default: usual, typeOptions: { minValue, maxValue } = {} }) => [
			displayName,
			said(usual),
			minValue === undefined ? '' : `${said(minValue)}, ${said(maxValue)}`,
		]),
	);
});

it('the trigger answers with the statuses that its document lists, and no other', () => {
	const listed = rowsOf('docs/trigger.md', 'Status').map(([status]) => Number(status));
	const statuses = new Set<number>([200, ...Object.values(REFUSALS).map(([status]) => status)]);
	expect(listed).toEqual([...statuses].sort((a, b) => a - b));
});
