import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

import { isNote, overlapsOf, pictureOf, placesOf } from '../n8n/e2e/exampleLayout.mts';
import { EXAMPLES_FOLDER, exampleNames, readExample } from '../n8n/e2e/examples.mts';
import { isLabel } from './labels.mts';
import { emphasizedIn, readDocument } from './markdown.mts';

/** Ids under which `npm start` creates credentials, and those that stand for one that a person chooses. */
const CREDENTIAL_IDS = [
	'customerMessaging',
	'customerMessagingWebhook',
	'crmHeader',
	'shopHeader',
	'chatModel',
	'mcpBearer',
];

describe.each(exampleNames)('the example %s', (name) => {
	const workflow = readExample(name);
	const { nodes, connections } = workflow;
	const notes = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));

	it('holds nothing of the n8n it was made in', () => {
		expect(Object.keys(workflow).sort()).toEqual(
			['connections', 'id', 'name', 'nodes', 'pinData', 'settings'].sort(),
		);
		expect(workflow).toMatchObject({ settings: { executionOrder: 'v1' } });
		const pinned = Object.keys(workflow.pinData ?? {});
		expect(nodes.map((node) => node.name)).toEqual(expect.arrayContaining(pinned));
		const ids = nodes.flatMap(({ credentials = {} }) => Object.values(credentials).map(({ id }) => id));
		expect(CREDENTIAL_IDS).toEqual(expect.arrayContaining(ids));
	});

	it('speaks only to hosts that are examples', () => {
		const text = readFileSync(path.join(EXAMPLES_FOLDER, `${name}.json`), 'utf8');
		const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
		expect(hosts.filter((host) => !/(^|\.)example(\.com|\.org)?$/.test(host))).toEqual([]);
	});

	it('says in notes what it does and what to set, in order, and lies tidily', () => {
		const [about, toSet] = notes;
		expect(about).toMatch(/^## /);
		expect(toSet).toMatch(/^\*\*Set:\*\*\n1\. [^]*\n\n\*\*Try:\*\* /);
		expect(overlapsOf(nodes.flatMap(placesOf))).toEqual([]);
		for (const { position } of nodes) for (const place of position) expect(Math.abs(place % 16)).toBe(0);
	});

	it('names in the notes only nodes and fields that it has', () => {
		const text = JSON.stringify(workflow);
		const named = notes.flatMap(emphasizedIn);
		const names = nodes.map((node) => node.name);
		expect(named.filter((words) => !names.includes(words) && !isLabel(words))).toEqual([]);
		const wanting = nodes.filter(({ credentials }) => credentials?.customerMessagingApi);
		expect(text.includes('Your credential')).toBe(wanting.length > 0);
	});

	it('is shown with its picture in the document of the recipes', async () => {
		const section =
			readDocument('docs/recipes.md')
				.split(/\n(?=## )/)
				.find((part) => part.includes(`(../examples/${name}.json)`)) ?? '';
		expect(section).toContain(`(images/recipes/${name}.png)`);
		const { width, height } = await sharp(
			path.join(EXAMPLES_FOLDER, '..', 'docs', 'images', 'recipes', `${name}.png`),
		).metadata();
		expect({ width, height }).toEqual(pictureOf(workflow).pixels);
	});

	it('has unique ids, and every connection ends at a node', () => {
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const names = nodes.map((node) => node.name);
		const ends = Object.values(connections).flatMap((types) =>
			Object.values(types).flatMap((outputs) =>
				outputs.flatMap((links) => (links ?? []).map(({ node }) => node)),
			),
		);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...ends]));
	});
});
