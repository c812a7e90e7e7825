import type { INodeProperties } from 'n8n-workflow';

import { advanced } from '../../nodes/CustomerMessaging/api/credential.ts';
import { REFUSALS } from '../../nodes/CustomerMessaging/trigger/refusals.ts';
import { readDocument } from './markdown.mts';

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
	const listed = rowsOf('docs/triggers.md', 'Status').map(([status]) => Number(status));
	const statuses = new Set<number>([200, ...Object.values(REFUSALS).map(([status]) => status)]);
	expect(listed).toEqual([...statuses].sort((a, b) => a - b));
});
