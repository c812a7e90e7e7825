import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeCredentials, INodeExecutionData } from 'n8n-workflow';

import { ACTION_NODE } from '../engine/engine.mts';
import type { WorkflowDefinition } from '../n8n/workflow.mts';
import type { Run, SavedNode } from './frozenNodes.mts';

/** Where each version that was released has a folder. */
export const FROZEN_FOLDER = import.meta.dirname;

/** A node of a saved workflow, with what it does. */
export interface FrozenNode {
	name: string;
	/** Name of its workflow. */
	file: string;
	node: SavedNode;
	items?: INodeExecutionData[];
	runs: Run[];
}

/** What stands beside a workflow, by the names of its nodes. */
type Runs = Record<string, Pick<FrozenNode, 'items' | 'runs'>>;

const START = 'When clicking "Execute workflow"';

/** Versions of the package that have frozen workflows, the oldest first. */
export const frozenVersions = (place = FROZEN_FOLDER): string[] =>
	readdirSync(place)
		.filter((name) => /^\d+\.\d+\.\d+/.test(name))
		.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** The nodes of the workflows of a version. */
export function readFrozen(version: string, place = FROZEN_FOLDER): FrozenNode[] {
	const folder = path.join(place, version);
	const read = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as unknown;
	const names = existsSync(folder) ? readdirSync(folder) : [];
	return names
		.filter((name) => name.endsWith('.workflow.json'))
		.flatMap((name) => {
			const file = path.basename(name, '.workflow.json');
			const { nodes } = read(name) as WorkflowDefinition;
			const runs = read(`${file}.runs.json`) as Runs;
			return nodes
				.filter((one) => one.name in runs)
				.map(({ name: nodeName, type, typeVersion, parameters, onError }) => ({
					...{ name: nodeName, file },
					node: { type, typeVersion, parameters, ...(onError && { onError }) },
					...runs[nodeName],
				}));
		});
}

/** How many nodes a version has frozen. */
export function numberOfNodes(version: string, place = FROZEN_FOLDER): number {
	const { nodes } = JSON.parse(readFileSync(path.join(place, version, 'index.json'), 'utf8')) as {
		nodes: Record<string, number>;
	};
	return Object.values(nodes).reduce((sum, one) => sum + one, 0);
}

/** A workflow as n8n's editor saves it, which the editor can open. */
function workflowOf(version: string, file: string, frozen: FrozenNode[]): WorkflowDefinition {
	const actions = frozen.filter(({ node }) => node.type === ACTION_NODE);
	const start: SavedNode = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	const nodes = [...(actions.length > 0 ? [{ name: START, node: start }] : []), ...frozen];
	return {
		name: `${file}, ${version}`,
		connections: {
			[START]: { main: [actions.map(({ name }) => ({ node: name, type: 'main' as const, index: 0 }))] },
		},
		settings: { executionOrder: 'v1' },
		nodes: nodes.map(({ name, node }, place) => ({
			...{ parameters: node.parameters, type: node.type, typeVersion: node.typeVersion },
			...(node.onError && { onError: node.onError }),
			position: [node.type === start.type ? 0 : 240, place * 160],
			...{ id: idOf(place), name },
			...(node.type.endsWith('Trigger') && { webhookId: idOf(place) }),
			...(node.type !== start.type && { credentials: credentialOf(node.type) }),
		})),
	};
}

const idOf = (place: number) => `c0570000-0000-4000-b000-${String(place).padStart(12, '0')}`;

const credentialOf = (type: string): INodeCredentials =>
	type.endsWith('.customerMessagingTrigger')
		? { customerMessagingWebhookApi: { id: 'webhook', name: 'Customer Messaging webhook' } }
		: { customerMessagingApi: { id: 'tenant', name: 'Customer Messaging tenant' } };

/** Writes the workflows of a version anew, a node on each line. */
export function writeFrozen(version: string, frozen: FrozenNode[], place = FROZEN_FOLDER): void {
	const folder = path.join(place, version);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder);
	const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
	const files = [...new Set(frozen.map(({ file }) => file))];
	for (const file of files) {
		const own = frozen.filter((one) => one.file === file);
		const { nodes, ...workflow } = workflowOf(version, file, own);
		const head = JSON.stringify(workflow).replace(/\}$/, '');
		const lines = nodes.map((node) => JSON.stringify(node)).join(',\n');
		write(`${file}.workflow.json`, `${head},"nodes":[\n${lines}\n]}\n`);
		const runs = own.map(
			({ name, items, runs: ran }) => `${JSON.stringify(name)}:${JSON.stringify({ items, runs: ran })}`,
		);
		write(`${file}.runs.json`, `{\n${runs.join(',\n')}\n}\n`);
	}
	const nodes = Object.fromEntries(
		files.map((file) => [file, frozen.filter((one) => one.file === file).length]),
	);
	// Also where everything is as it was: the folder shows that the version was looked at.
	write('index.json', `${JSON.stringify({ version, nodes })}\n`);
}
