import type { INodeParameters } from 'n8n-workflow';

import { chain, nodeOf } from '../e2e/agentWorkflows.mts';
import {
	CREDENTIAL_TYPE,
	headerSecret,
	NODE_TYPE,
	type TenantAndN8n,
	TRIGGER_TYPE,
	WEBHOOK_CREDENTIAL_TYPE,
	WEBHOOK_PATH,
} from '../e2e/tenantAndN8n.mts';
import { http } from '../../http.mts';
import { Editor, type EditorInFile, editorInThisFile } from './editor.mts';

let started: EditorInFile;
let both: TenantAndN8n;
let editor: Editor;

editorInThisFile((begun) => {
	started = begun;
	({ both } = begun);
});

afterEach(async () => await editor?.leave());

const START = nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1);
const ACTION = 'Customer Messaging';

/** The action as it is right after it was added, or with the credential of the tenant, with its panel open. */
async function openAction(parameters: INodeParameters, withCredential: boolean): Promise<Editor> {
	const action = nodeOf(ACTION, NODE_TYPE, 1, parameters, {
		position: [224, 0],
		...(withCredential && { credentials: { [CREDENTIAL_TYPE]: both.credential } }),
	});
	editor = await Editor.open(started, chain('A form', [START, action]));
	await editor.openNode(ACTION);
	return editor;
}

/** What n8n writes in red where a form has no fields. */
const RED = /No columns found|No fields found|couldn.t be loaded|could not be loaded/i;

describe('a form of the tenant', () => {
	it('that has no further fields says so quietly', async () => {
		const opened = await openAction({ resource: 'group', operation: 'create' }, true);
		await opened.addRow('Add Field');
		const names = await opened.search('name', '', 'The service describes no further fields for this');
		expect(names).toHaveLength(1);
		expect(await opened.panel.getByText(RED).count()).toBe(0);
	});

	it('that the tenant refuses tells the editor’s name of the field, and the way out, once each', async () => {
		const parameters = {
			...{ resource: 'customer', operation: 'create', displayId: '+49 171 7654321', name: 'Nora' },
		};
		const opened = await openAction(parameters, true);
		await opened.execute(/491717654321/);
		await opened.execute(/Phone Number/);
		const said = await opened.part('output-panel').innerText();
		expect(said.match(/already been taken/g)).toHaveLength(1);
		expect(said.match(/use Create or Update/g)).toHaveLength(1);
	});
});

it('the canvas says what a node does', async () => {
	const list = { resource: 'profile', operation: 'getAll' };
	const action = nodeOf(ACTION, NODE_TYPE, 1, list, { position: [224, 0] });
	editor = await Editor.open(started, chain('A subtitle', [START, action]));
	await editor.part('canvas-node').getByText('Get many profiles', { exact: true }).waitFor();
});

it('a webhook that is refused while somebody listens says why', async () => {
	const webhookId = '0b1c2d3e-0000-4000-8000-000000000003';
	const credential = await both.rest.createCredential({ ...headerSecret.credential });
	const trigger = nodeOf(
		'New Agent Message',
		TRIGGER_TYPE,
		1,
		{},
		{
			webhookId,
			credentials: { [WEBHOOK_CREDENTIAL_TYPE]: credential },
		},
	);
	editor = await Editor.open(started, chain('Listening', [trigger]));
	await editor.openNode(trigger.name);
	await editor.panel
		.getByText(/The administrator of your account enters it for the event new-agent-message/)
		.waitFor();
	await editor.part('trigger-execute-button').click();
	await editor.panel.getByText('Listening for test event').waitFor();
	const url = `${both.n8n.url}/webhook-test/${webhookId}/${WEBHOOK_PATH}`;
	const { status } = await http.post(url, { event: 'new-agent-message', message: { id: 1 } });
	expect(status).toBe(401);
	await editor.outputShows(/The secret, login or signature is wrong or missing/);
});

describe('a node that has just been added, without a credential', () => {
	// n8n chooses the only credential by itself.
	beforeAll(async () => {
		const { n8n, rest, credential } = both;
		const headers = { cookie: rest.cookie };
		const { status } = await http.delete(`${n8n.url}/rest/credentials/${credential.id}`, { headers });
		expect(status).toBe(200);
	});

	it('has the columns of a bulk import, where they are mapped by hand', async () => {
		const columns = { mappingMode: 'defineBelow', value: null };
		const { panel } = await openAction({ resource: 'customer', operation: 'bulkImport', columns }, false);
		for (const name of ['Phone Number', 'Name', 'Email', 'Tags'])
			await panel.getByText(name, { exact: true }).first().waitFor();
		expect(await panel.getByText(RED).count()).toBe(0);
	});

	it.each([
		{ resource: 'settings', operation: 'update' },
		{ resource: 'profile', operation: 'addTags' },
	])('has empty lists, and no error: %j', async (parameters) => {
		const { page, panel } = await openAction(parameters, false);
		await page.waitForLoadState('networkidle');
		expect(await panel.getByText(RED).count()).toBe(0);
		expect(await panel.getByText(/Error fetching options|open the node again/).count()).toBe(0);
	});
});
