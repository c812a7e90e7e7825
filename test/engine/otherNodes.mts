import type {
	IConnections,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
	NodeConnectionType,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

const main: NodeConnectionType = NodeConnectionTypes.Main;

/** A node type that does what a test wants. */
function typeOf(outputs: number, execute: (this: IExecuteFunctions) => INodeExecutionData[][]): INodeType {
	return {
		description: {
			displayName: 'Other',
			name: 'other',
			group: ['transform'],
			version: 1,
			description: 'Stands beside the node under test',
			defaults: { name: 'Other' },
			inputs: [main],
			outputs: Array.from({ length: outputs }, () => main),
			properties: [],
		},
		async execute() {
			return execute.call(this);
		},
	};
}

/** Gives on what comes in. */
export const passing = () =>
	typeOf(1, function () {
		return [this.getInputData()];
	});

/** Gives the same items to its first output for so many rounds, and then what comes in to its second. */
export function rounds(count: number, items: INodeExecutionData[]): INodeType {
	let round = 0;
	return typeOf(2, function () {
		return ++round < count ? [items, []] : [[], this.getInputData()];
	});
}

/** A node of the workflow. */
export function nodeOf(name: string, type: string): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {} };
}

/** Connections from the first output of one node to the next one. */
export function connected(...pairs: Array<[from: string, to: string]>): IConnections {
	return Object.fromEntries(
		pairs.map(([from, node]) => [from, { main: [[{ node, type: main, index: 0 }]] }]),
	);
}
