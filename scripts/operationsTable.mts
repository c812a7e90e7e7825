// Writes the names of the node's resources and operations into README.md, between markers.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { CustomerMessaging } from '../nodes/CustomerMessaging/CustomerMessaging.node.ts';

const README = path.resolve(import.meta.dirname, '..', 'README.md');

const START = '<!-- operations: written by npm run generate -->';
const END = '<!-- /operations -->';

/** The resources with the names of their operations, and how many there are. */
function overview(): string {
	const { properties } = new CustomerMessaging().description;
	const resources = properties.find(({ name }) => name === 'resource')?.options as INodePropertyOptions[];
	const operationsOf = (resource: INodePropertyOptions['value']) =>
		(properties.find(
			({ name, displayOptions }: INodeProperties) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		)?.options ?? []) as INodePropertyOptions[];
	const rows = resources.map(
		({ name, value }) =>
			`| ${name} | ${operationsOf(value)
				.map((one) => one.name)
				.join(', ')} |`,
	);
	const count = resources.flatMap(({ value }) => operationsOf(value)).length;
	return [
		`${resources.length} resources with ${count} operations:\n`,
		'| Resource | Operations |',
		'|---|---|',
		...rows,
	].join('\n');
}

/** README.md as it is, and as it should be. */
export async function readme(): Promise<{ committed: string; current: string }> {
	const committed = await readFile(README, 'utf8');
	const [before, rest] = committed.split(START);
	const after = rest?.split(END)[1];
	if (after === undefined) throw new Error(`README.md does not hold the lines ${START} and ${END}`);
	return { committed, current: `${before}${START}\n\n${overview()}\n\n${END}${after}` };
}

if (process.argv[1] === import.meta.filename) void readme().then(({ current }) => writeFile(README, current));
