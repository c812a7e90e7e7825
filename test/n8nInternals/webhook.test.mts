import { setTimeout as delay } from 'node:timers/promises';

import { type IDataObject, ObservableObject } from 'n8n-workflow';

import { keepInStaticData } from '../../nodes/CustomerMessaging/n8nInternals/webhook.ts';

const MEND = 'look at n8n-workflow/dist/cjs/observable-object.js, and mend n8nInternals/webhook.ts.';

/** Static data of a workflow as n8n holds them, and those of its node. */
function staticData(saved: IDataObject = {}) {
	const workflow = ObservableObject.create({ 'node:Trigger': saved }, undefined, {
		ignoreEmptyOnFirstChild: true,
	}) as Record<string, IDataObject> & { __dataChanged: boolean };
	return { workflow, node: workflow['node:Trigger'] };
}

it('n8n takes note that there is something to write', () => {
	const { workflow, node } = staticData();
	keepInStaticData(node, 'kept', () => 'a');
	if (workflow.__dataChanged) return;
	throw new Error(`n8n does not see any more that static data have changed: ${MEND}`);
});

it('n8n writes what the text is when it writes', () => {
	const { workflow, node } = staticData();
	let text = 'a';
	keepInStaticData(node, 'kept', () => text);
	text = 'b';
	const written = JSON.stringify(workflow);
	if (written === '{"node:Trigger":{"kept":"b"}}') return;
	throw new Error(`n8n writes static data in another way now (${written}): ${MEND}`);
});

it('is put there again behind n8n wrapping the same data anew', async () => {
	const { workflow, node } = staticData();
	keepInStaticData(node, 'kept', () => 'a');
	const anew = ObservableObject.create(workflow, undefined, { ignoreEmptyOnFirstChild: true }) as {
		__dataChanged: boolean;
	};
	expect(anew.__dataChanged).toBe(false);
	await delay(20);
	if (anew.__dataChanged || workflow.__dataChanged) return;
	throw new Error(`n8n forgets what is put into static data: ${MEND}`);
});
