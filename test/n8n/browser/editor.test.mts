import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import {
	CREDENTIAL_TYPE,
	headerSecret,
	NODE_TYPE,
	type TenantAndN8n,
	TRIGGER_TYPE,
	WEBHOOK_CREDENTIAL_TYPE,
	WEBHOOK_PATH,
} from '../e2e/tenantAndN8n.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import { chain, nodeOf, stepOf } from '../e2e/agentWorkflows.mts';
import { itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import { Editor, type EditorInFile, editorInThisFile } from './editor.mts';
import { newContext, newPage } from './chromium.mts';

let started: EditorInFile;
let both: TenantAndN8n;
let browser: Browser;
let editor: Editor | undefined;

editorInThisFile((begun) => {
	started = begun;
	({ both, browser } = begun);
});

afterEach(async () => {
	await editor?.leave();
	editor = undefined;
});

const node = (name: string, type: string, typeVersion: number, more: Partial<INode> = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters: {},
	...more,
});

async function credential(type: string, data: ICredentialDataDecryptedObject) {
	return { [type]: await both.rest.createCredential({ name: 'Sunset Parcels', type, data }) };
}

/** Opens these nodes, one after another, in the editor. */
async function open(...nodes: INode[]): Promise<Editor> {
	const placed = nodes.map((one, index): INode => ({ ...one, position: [224 * index, 0] }));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]] },
			]),
	);
	editor = await Editor.open(started, { name: 'In the editor', nodes: placed, connections });
	return editor;
}

const START = node('Start', 'n8n-nodes-base.manualTrigger', 1);
const ACTION = 'Customer Messaging';

/** The action behind a manual trigger, with its panel open. */
async function openAction(parameters: INodeParameters = {}): Promise<Editor> {
	const { url: tenantDomain, token: accessToken } = both.sandbox;
	const credentials = await credential(CREDENTIAL_TYPE, { tenantDomain, accessToken });
	const opened = await open(START, node(ACTION, NODE_TYPE, 1, { parameters, credentials }));
	await opened.openNode(ACTION);
	return opened;
}

/** The trigger with its panel open. */
async function openTrigger(webhookId: string): Promise<Editor> {
	const credentials = await credential(WEBHOOK_CREDENTIAL_TYPE, headerSecret.credential.data);
	const opened = await open(node('New Agent Message', TRIGGER_TYPE, 1, { webhookId, credentials }));
	await opened.openNode('New Agent Message');
	return opened;
}

describe('the action in the editor', () => {
	it.each(['customer messaging', 'send whatsapp template message'])(
		'is found by "%s", with an action for each of its operations',
		async (typed) => {
			const opened = await open(START);
			const { page } = opened;
			await opened.part('node-creator-plus-button').first().click();
			await page.getByPlaceholder(/Search nodes/).fill(typed);
			await page.getByText('Customer Messaging', { exact: true }).click();
			await page.getByText('Send template message').waitFor();
			await page.getByText(/^Triggers \(1\)/).waitFor();
		},
	);

	it('chooses a record from a list that is searched in the tenant, and shows what came', async () => {
		const opened = await openAction();
		expect(await opened.choose('resource', 'Profile')).toEqual(
			expect.arrayContaining(['Customer', 'Media', 'Message', 'Profile', 'Tag', 'Template']),
		);
		expect(await opened.choose('operation', 'Get')).toContain('Set Tags');
		expect(await opened.chooseFromList('profileId', 'jonas', 'Jonas Sample')).toHaveLength(1);
		await opened.execute('jonas@mail.example');
	});

	it('asks for the decision about the consent, and takes none by itself', async () => {
		const opened = await openAction({ resource: 'profile', operation: 'setConsent' });
		await opened.chooseFromList('profileId', 'jonas', 'Jonas Sample');
		await opened.part('parameter-issues').first().waitFor();
		both.sandbox.clearRequests();
		expect(await opened.choose('optIn', 'Withdrawn')).toEqual(['Given', 'Withdrawn']);
		await opened.execute('jonas@mail.example');
		const [{ body }] = both.sandbox.requests().filter(({ method }) => method === 'POST');
		expect(JSON.parse(Buffer.from(body, 'base64').toString())).toEqual({ opt_in: false });
	});

	it('shows the next node its fields before the first run', async () => {
		const parameters = { resource: 'profile', operation: 'get' };
		const opened = await open(
			START,
			node(ACTION, NODE_TYPE, 1, { parameters }),
			node('Next', 'n8n-nodes-base.set', 3.4),
		);
		await opened.openNode('Next');
		const fields = opened.part('run-data-schema-item');
		await fields.getByText('marketing_opt_in').waitFor();
		expect(await fields.allInnerTexts()).toEqual(expect.arrayContaining(['name', 'email', 'phone_number']));
	});
});

describe('importing customers from the editor', () => {
	it('maps columns by dragging fields of the input onto them, and tells what came of it', async () => {
		const { url: tenantDomain, token: accessToken } = both.sandbox;
		const credentials = await credential(CREDENTIAL_TYPE, { tenantDomain, accessToken });
		const row = { phone: '+49 170 0000091', full_name: 'Rosa Row', mail: 'rosa@mail.example' };
		const opened = await open(
			START,
			node('Rows', 'n8n-nodes-base.set', 3.4, {
				parameters: { mode: 'raw', jsonOutput: JSON.stringify(row), options: {} },
			}),
			node(ACTION, NODE_TYPE, 1, {
				parameters: {
					...{ resource: 'customer', operation: 'bulkImport' },
					columns: { mappingMode: 'defineBelow', value: null },
				},
				credentials,
			}),
		);
		await opened.openNode(ACTION);
		await opened.executePrevious();
		await opened.map('phone', 'displayId');
		await opened.map('full_name', 'name');
		await opened.map('mail', 'email');
		await opened.execute(/created or updated/);
		expect(both.sandbox.store.customers.byDisplayId('chatapp', '491700000091')).toMatchObject({
			name: 'Rosa Row',
		});
	});
});

describe('fields of the tenant', () => {
	const DESCRIPTION = `
openapi: 3.1.0
paths:
  /groups:
    post:
      requestBody:
        content:
          application/json:
            schema:
              required: [name]
              properties:
                name: {type: string}
                shelf_number: {type: integer, description: Where the files of the group stand.}
                loyalty: {type: string, enum: [bronze, gold]}
`;

	it('that its own description names are offered, and sent with their types', async () => {
		const { sandbox } = both;
		sandbox.tenant.description = DESCRIPTION;
		// Of another user than in the other tests: what a user's description says is kept for some minutes.
		const credentials = await credential(CREDENTIAL_TYPE, {
			tenantDomain: sandbox.url,
			accessToken: sandbox.userToken,
		});
		const opened = await open(
			START,
			node(ACTION, NODE_TYPE, 1, { parameters: { resource: 'group', operation: 'create' }, credentials }),
		);
		await opened.openNode(ACTION);
		await opened.fill('name', 'Wholesale');
		await opened.addRow('Add Field');
		const names = await opened.search('name', 'l', 'Shelf Number');
		expect(names).toEqual(['Shelf Number', 'Loyalty']);
		await opened.chooseSearched('name', 'Shelf Number');
		await opened.fill('value', '12');
		await opened.execute('Wholesale');
		expect(sandbox.tenant.store.groups.list()).toContainEqual(
			expect.objectContaining({ name: 'Wholesale', shelf_number: 12 }),
		);
	});
});

describe('sending a template from the editor', () => {
	/** A form of what order_shipped takes. */
	async function openForm(): Promise<Editor> {
		const opened = await openAction();
		await opened.choose('resource', 'Message');
		await opened.choose('operation', 'Send Template');
		await opened.panel.getByText('Choose a template, and its variables appear here.').waitFor();
		await opened.fill('phoneNumber', '+49 170 000 00 78');
		await opened.chooseFromList('agentId', 'Shop');
		const shipped = 'order_shipped · English (US) · en_US';
		expect(await opened.chooseFromList('templateName', 'shipped', shipped)).toHaveLength(2);
		expect(await opened.parameter('templateLanguage').count()).toBe(0);
		return opened;
	}

	it('offers the variables of the chosen template as fields, and the customer gets them filled in', async () => {
		const opened = await openForm();
		for (const [name, label, value] of [
			['body_1', 'Good news, {{1}}!', 'Nora'],
			['body_2', 'Your order {{2}} is on its…', 'A-1078'],
			['body_3', 'arrive on {{3}}.', 'Monday'],
			['button_0_url', 'Track parcel · URL suffix', 'A-1078'],
			['button_1_quick_reply', 'I have a question · Value', 'question'],
		] as const) {
			await opened.panel.locator('label').filter({ hasText: label }).waitFor();
			await opened.fill(name, value);
		}
		await opened.panel.getByText('Your order {{2}} is on its way and should arrive on {{3}}.').waitFor();
		await opened.chooseFromList('headerFile', 'Parcel at sunset');
		const text = 'Good news, Nora! Your order A-1078 is on its way and should arrive on Monday.';
		await opened.execute(text);
		await opened.parameter('body_3').scrollIntoViewIfNeeded();
		await opened.screenshot('editor-send-template');
		await opened.wear('dark');
		await opened.screenshot('editor-send-template-dark');
		await opened.wear('light');

		const inbox = await newPage(browser);
		await inbox.goto(`${both.sandbox.url}/`);
		await inbox.locator('.message').getByText(text).waitFor();
		expect(await inbox.getByRole('link', { name: 'Track parcel' }).getAttribute('href')).toBe(
			'https://shop.example/track/A-1078',
		);
		await inbox.close();
	});

	it('warns of a loop exactly while From Automation is on', async () => {
		const opened = await openAction({ resource: 'message', operation: 'sendTemplate' });
		const warning = opened.panel.getByText(
			/Messages with From Automation start the New Agent Message trigger/,
		);
		expect(await opened.addOption('From Automation')).not.toContain('Allow Loop');
		await opened.parameter('fromAutomation').waitFor();
		expect(await warning.count()).toBe(0);
		await opened.switch('fromAutomation');
		await warning.waitFor();
		expect(await opened.addOption('Allow Loop')).toContain('Assign Tag');
		await opened.switch('fromAutomation');
		await warning.waitFor({ state: 'detached' });
	});
});

describe('the trigger in the editor', () => {
	it('shows where its URL goes, listens, and gives the message of the event', async () => {
		const webhookId = 'in-the-editor';
		const opened = await openTrigger(webhookId);
		await opened.panel
			.getByText(/The administrator of your account enters it for the event new-agent-message/)
			.waitFor();
		await opened.panel.getByText('Webhook URLs', { exact: true }).click();
		const url = `${both.n8n.url}/webhook-test/${webhookId}/${WEBHOOK_PATH}`;
		await opened.panel.getByText(url).waitFor();
		await opened.panel.getByText('When will this node trigger my flow?').click();
		await opened.panel.getByText(/For everyday use, enter the Production URL/).waitFor();

		await opened.part('trigger-execute-button').click();
		await opened.panel.getByText('Listening for test event').waitFor();
		both.sandbox.registerWebhook({ url, ...headerSecret.registration });
		const [{ id }] = both.sandbox.store.conversations.search('Mira').records;
		await asAdmin(both.sandbox).post(`/conversations/${id}/messages`, {
			type: 'text',
			text: { content: 'On its way' },
			from_automation: true,
		});
		await opened.outputShows(/conversation_id[^]*On its way[^]*new-agent-message/);
	});
});

describe('the credentials in the editor', () => {
	const GREEN = 'Connection tested successfully';
	const RED = 'Couldn’t connect with these settings';

	it('of the tenant is created by somebody who has just signed in', async () => {
		const action = node(ACTION, NODE_TYPE, 1);
		const workflow = {
			name: 'The first one',
			nodes: [START, { ...action, position: [224, 0] as [number, number] }],
			connections: {},
		};
		editor = await Editor.signIn(started, workflow);
		await editor.openNode(ACTION);
		const dialog = await editor.newCredential();
		await editor.fill('tenantDomain', both.sandbox.url, dialog);
		await editor.fill('accessToken', 'wrong', dialog);
		await editor.part('credential-save-button').click();
		await dialog.getByText(RED).waitFor();
		await editor.fill('accessToken', both.sandbox.token, dialog);
		await editor.part('credential-save-button').click();
		// The dialog of a new credential closes by itself once its test is green.
		await dialog.waitFor({ state: 'hidden' });
		await (await editor.openCredential()).getByText(GREEN).waitFor();
	});

	it.each<[string, () => Promise<Editor>, string, string, RegExp]>([
		['of the tenant', async () => await openAction(), 'accessToken', 'wrong', /access token was refused/],
		[
			'of the webhook',
			async () => await openTrigger('its-credential'),
			'secret',
			'short',
			/fewer than 16 characters/,
		],
	])('%s are tested while they are entered', async (_of, openNode, field, wrong, reason) => {
		const opened = await openNode();
		const dialog = await opened.openCredential();
		await dialog.getByText(GREEN).waitFor();
		await opened.fill(field, wrong, dialog);
		await opened.part('credential-save-button').click();
		await dialog.getByText(RED).waitFor();
		await dialog.getByText('More details').click();
		await dialog.getByText(reason).waitFor();
	});
});

it('a person answers the question of a waiting workflow on a phone', async () => {
	await both.sandbox.reset();
	const question = stepOf(both.credential, {
		...{ resource: 'message', operation: 'sendAndWait', sendAs: 'text' },
		conversationId: String(both.sandbox.store.conversations.search('Mira').records[0].id),
		message: 'When may we deliver?',
		responseType: 'freeText',
	});
	const after = nodeOf('After', 'n8n-nodes-base.noOp', 1);
	const { id } = await both.rest.createWorkflow(
		chain('Question', [START, { ...question, id: '0a1b2c3d-0000-4000-8000-000000000002' }, after]),
	);
	const execution = await both.rest.run(id, START.name);
	await waitFor('the workflow to wait', async () =>
		(await both.rest.execution(execution)).status === 'waiting' ? true : undefined,
	);
	const [{ body }] = both.sandbox.requests().filter(({ method }) => method === 'POST');
	const [link] = /https?:\/\/[^\s"]+/.exec(Buffer.from(body, 'base64').toString()) ?? [];

	const phone = await newContext(browser, {
		...{ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
	});
	try {
		const page = await phone.newPage();
		await page.goto(String(link));
		await page.getByText('When may we deliver?').waitFor();
		await page.getByRole('button').tap();
		// Nothing is decided yet, and the text area asks for its value.
		expect((await both.rest.execution(execution)).status).toBe('waiting');
		await page.getByRole('textbox').fill('On Monday, in the garage');
		// The browser gives up the first request, and shows the response to the second.
		const { x, y } = (await page.getByRole('button').boundingBox())!;
		await page.touchscreen.tap(x + 9, y + 9);
		await page.waitForTimeout(300);
		await page.touchscreen.tap(x + 9, y + 9);
		await page.getByText('You have already answered').waitFor();
		const answered = await both.rest.finished(execution);
		expect(itemsOf(answered, 'After').map(({ json }) => json)).toEqual([
			{ data: { text: 'On Monday, in the garage', respondedAt: expect.any(String) } },
		]);
		// As long as the workflow runs, n8n itself answers the link with a 409, and then like this.
		await page.goto(String(link));
		await page.getByText(/no action required/i).waitFor();
	} finally {
		await phone.close();
	}
});
