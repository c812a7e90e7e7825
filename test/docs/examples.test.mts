import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode } from 'n8n-workflow';

import { EXAMPLES_FOLDER, exampleNames, readExample } from '../e2e/examples.mts';

/** Ids under which `npm start` creates credentials, and those that stand for one that a person chooses. */
const CREDENTIAL_IDS = [
	'customerMessaging',
	'customerMessagingWebhook',
	'crmHeader',
	'shopHeader',
	'chatModel',
	'mcpBearer',
];

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');

/** The place that a node takes on the canvas: left, top, right, bottom. */
function placeOf(node: INode): [number, number, number, number] {
	const [left, top] = node.position;
	const { width = 96, height = 96 } = (isNote(node) ? node.parameters : {}) as Record<string, number>;
	return [left, top, left + width, top + height];
}

function overlap(one: INode, other: INode): boolean {
	const [left, top, right, bottom] = placeOf(one);
	const [otherLeft, otherTop, otherRight, otherBottom] = placeOf(other);
	return left < otherRight && otherLeft < right && top < otherBottom && otherTop < bottom;
}

describe.each(exampleNames)('the example %s', (name) => {
	const workflow = readExample(name);
	const { nodes, connections } = workflow;

	it('holds nothing of the n8n it was made in', () => {
		expect(Object.keys(workflow).sort()).toEqual(
			['connections', 'id', 'name', 'nodes', 'pinData', 'settings'].sort(),
		);
		expect(workflow).toMatchObject({ pinData: {}, settings: { executionOrder: 'v1' } });
		const ids = nodes.flatMap(({ credentials = {} }) => Object.values(credentials).map(({ id }) => id));
		expect(CREDENTIAL_IDS).toEqual(expect.arrayContaining(ids));
	});

	it('speaks only to hosts that are examples', () => {
		const text = readFileSync(path.join(EXAMPLES_FOLDER, `${name}.json`), 'utf8');
		const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
		expect(hosts.filter((host) => !/(^|\.)example(\.com|\.org)?$/.test(host))).toEqual([]);
	});

	it('says in a note what it does, and lies tidily', () => {
		const [note] = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
		expect(note).toMatch(/^## /);
		const pairs = nodes.flatMap((one, index) => nodes.slice(index + 1).map((other) => [one, other]));
		expect(pairs.filter(([one, other]) => overlap(one, other)).map((two) => two.map((n) => n.name))).toEqual(
			[],
		);
		for (const { position } of nodes) for (const place of position) expect(Math.abs(place % 16)).toBe(0);
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
