import type { INodeParameters, INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import packageJson from '../../package.json' with { type: 'json' };
import mainCodex from '../../nodes/CustomerMessaging/CustomerMessaging.node.json';
import pollingCodex from '../../nodes/CustomerMessaging/CustomerMessagingPollingTrigger.node.json';
import triggerCodex from '../../nodes/CustomerMessaging/CustomerMessagingTrigger.node.json';
import { ACTION_NODE, loadedPackage, workbench } from '../engine/engine.mts';
import { POLLING_NODE } from '../engine/polling.mts';
import { nodeDescription, shownOperations } from './nodeDescription.mts';
import { TRIGGER_NODE } from '../engine/arrival.mts';

/** The subtitle of a node on the canvas, as n8n's editor works it out. */
async function subtitleOf(parameters: INodeParameters, type = ACTION_NODE): Promise<unknown> {
	const { workflow, node, nodeType } = await workbench({ parameters, type, hasAllParameters: true });
	return workflow.expression.getSimpleParameterValue(node, nodeType.description.subtitle, 'internal', {});
}

const lists = (properties: INodeProperties[]) => properties.filter(({ name }) => name === 'operation');

it('the subtitle says what the operation does', async () => {
	expect(await subtitleOf({ resource: 'profile', operation: 'getAll' })).toBe('Get many profiles');
	const send = { resource: 'message', operation: 'sendTemplate' };
	expect(await subtitleOf(send)).toBe('Send template message');
	const templateName = { __rl: true, mode: 'list', value: 'order_shipped' };
	expect(await subtitleOf({ ...send, templateName })).toBe('Send template message: order_shipped');
});

it('every operation has its action as subtitle', async () => {
	const description = await nodeDescription();
	const operations = shownOperations(description);
	expect(operations).not.toEqual([]);
	for (const { resource, operation } of operations) {
		const list = lists(description.properties).find(({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resource),
		);
		const option = (list?.options as INodePropertyOptions[]).find(({ value }) => value === operation);
		expect(option?.action).toBeDefined();
		expect(await subtitleOf({ resource, operation })).toBe(option?.action);
	}
});

it.each([TRIGGER_NODE, POLLING_NODE])('the subtitle of %s says which event is chosen', async (type) => {
	const { description } = (await loadedPackage()).getNode(type.split('.')[1]).type as INodeType;
	const [{ options = [] }] = description.properties.filter(({ name }) => name === 'event');
	const events = options as INodePropertyOptions[];
	expect(events.length).toBeGreaterThan(0);
	for (const { name, value } of events) expect(await subtitleOf({ event: value }, type)).toBe(name);
});

it('an operation that is none still has a subtitle', async () => {
	expect(await subtitleOf({ resource: 'profile', operation: 'fly' })).toBe('fly: profile');
});

// n8n shows node and trigger as one entry, which it finds by the aliases of the node alone.
it.each([
	...[
		'contacts',
		'profiles',
		'add tags',
		'set tags',
		'wait for response',
		'newsletter',
		'agent message',
		'failed message',
	],
	...['webhook', 'delete customer', 'export person', 'data protection', 'privacy'],
])('people find the node by %s, since its letters are in an alias in this order', (words) => {
	expect(mainCodex.alias.filter((alias) => alias.toLowerCase().includes(words))).not.toEqual([]);
});

it.each([mainCodex, triggerCodex, pollingCodex])('$node is in the categories that n8n names', (codex) => {
	expect(codex.categories).toEqual(['Communication', 'Sales', 'Marketing & Content']);
	expect(codex).not.toHaveProperty('subcategories');
	expect(codex.alias).toEqual(expect.arrayContaining(['CRM', 'Messenger']));
});

it.each([mainCodex, triggerCodex, pollingCodex])(
	'n8n has a link to the documents of $node only if there is an owner',
	async ({ node, resources }) => {
		const [{ url }] = resources.primaryDocumentation;
		const { codex } = (await loadedPackage()).getNode(node.split('.')[1]).type.description as {
			codex?: typeof mainCodex;
		};
		const placeholder = new URL(url).origin;
		const link = packageJson.homepage.startsWith(placeholder) ? undefined : expect.stringContaining('http');
		expect(codex?.categories).toContain('Communication');
		expect(codex?.resources.primaryDocumentation?.[0].url).toEqual(link);
	},
);

it('the editor says what a node waits for', async () => {
	const { nodeType, workflow, node } = await workbench({
		parameters: { resource: 'message', operation: 'sendAndWait' },
	});
	const { waitingNodeTooltip } = nodeType.description;
	const shown = workflow.expression.getSimpleParameterValue(node, waitingNodeTooltip, 'internal', {});
	expect(shown).toBe('The workflow continues when the person has answered or the wait is over');
});
