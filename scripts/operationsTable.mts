// Writes the operations of the node into the documentation, between markers: README.md has their names, docs/operations.md
// what each of them does.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import { CustomerMessaging } from '../nodes/CustomerMessaging/CustomerMessaging.node.ts';

const projectFolder = path.resolve(import.meta.dirname, '..');

const START = '<!-- operations: written by npm run generate -->';
const END = '<!-- /operations -->';

/** A resource as n8n shows it, with its operations. */
interface ResourceOfNode {
	name: string;
	operations: INodePropertyOptions[];
}

function resourcesOfNode(): ResourceOfNode[] {
	const { properties } = new CustomerMessaging().description;
	const resources = properties.find(({ name }) => name === 'resource')?.options as INodePropertyOptions[];
	return resources.map(({ name, value }) => {
		const property = properties.find(
			({ name: parameter, displayOptions }: INodeProperties) =>
				parameter === 'operation' && displayOptions?.show?.resource?.includes(value),
		);
		return { name, operations: (property?.options ?? []) as INodePropertyOptions[] };
	});
}

/** The resources with the names of their operations, and how many there are. */
function overview(): string {
	const resources = resourcesOfNode();
	const count = resources.reduce((sum, { operations }) => sum + operations.length, 0);
	const rows = resources.map(
		({ name, operations }) => `| ${name} | ${operations.map((operation) => operation.name).join(', ')} |`,
	);
	return [
		`${resources.length} resources with ${count} operations:`,
		'',
		// Aligned columns would make the README a quarter longer.
		'<!-- prettier-ignore -->',
		'| Resource | Operations |',
		'|---|---|',
		...rows,
	].join('\n');
}

/** A table for each resource, with what its operations do. */
function details(): string {
	return resourcesOfNode()
		.map(({ name, operations }) =>
			[
				`## ${name}`,
				'',
				'| Operation | Does |',
				'|---|---|',
				...operations.map((operation) => `| ${operation.name} | ${operation.description} |`),
			].join('\n'),
		)
		.join('\n\n');
}

const WRITTEN: Record<string, () => string> = { 'README.md': overview, 'docs/operations.md': details };

/** The documents that hold the operations: as they are, and as they should be. */
export async function documents(): Promise<Array<{ file: string; committed: string; current: string }>> {
	return await Promise.all(
		Object.entries(WRITTEN).map(async ([file, content]) => {
			const absolute = path.join(projectFolder, file);
			const committed = await readFile(absolute, 'utf8');
			const [before, rest] = committed.split(START);
			const after = rest?.split(END)[1];
			if (after === undefined) throw new Error(`${file} does not hold the lines ${START} and ${END}`);
			const written = `${before}${START}\n\n${content()}\n\n${END}${after}`;
			const options = await resolveConfig(absolute);
			return { file, committed, current: await format(written, { ...options, filepath: absolute }) };
		}),
	);
}

async function writeDocuments(): Promise<void> {
	for (const { file, current } of await documents()) await writeFile(path.join(projectFolder, file), current);
}

if (process.argv[1] === import.meta.filename) void writeDocuments();
