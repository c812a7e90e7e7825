import type { INodeParameters } from 'n8n-workflow';

import { withoutMarkup } from '../../nodes/CustomerMessaging/api/errors.ts';
import { redactor } from '../../nodes/CustomerMessaging/api/redact.ts';
import { failureOfCredentialTest } from '../engine/credentialTest.mts';
import { editorOf } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { PollingNode } from '../engine/polling.mts';
import { refusal, ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();
const odd = OddTenant.inEachTest();

/** A link that covers n8n's window, if it is shown as HTML. */
const MARKUP = '<a href=//e.io class=el-overlay>Log in</a>';
const SHOWN = '‹a href=//e.io class=el-overlay>Log in‹/a>';

const create: INodeParameters = { resource: 'tag', operation: 'create', title: MARKUP };
const CREATE = 'POST /tags';

describe('markup in a text about a run', () => {
	it.each([
		[MARKUP, SHOWN],
		['<IMG src=x onerror=y>', '‹IMG src=x onerror=y>'],
		['<!-- <?php </b', '‹!-- ‹?php ‹/b'],
		['<<script>', '<‹script>'],
		['Mira <mira@tenant.example>', 'Mira ‹mira@tenant.example>'],
		['1 < 2, <3, a <= b, i<-1 and x > y & "z"', '1 < 2, <3, a <= b, i<-1 and x > y & "z"'],
		['&lt;a&gt;', '&lt;a&gt;'],
	])('%s is told as %s', (text, shown) => {
		expect(withoutMarkup(text)).toBe(shown);
	});

	it('is neutral also where a secret stood between its signs', () => {
		const redact = redactor('the-token-of-a-tenant');
		expect(withoutMarkup(redact('<the-token-of-a-tenant><b>', 100))).toBe('<***>‹b>');
	});
});

describe('where texts leave, what they hold is no HTML', () => {
	const errors = { title: [`Taken: ${MARKUP}`], [MARKUP]: ['is odd'] };
	const refused = { message: `No ${MARKUP}`, errors };
	const answer = () => tenant.answer({ [CREATE]: async (_, reply) => await reply.code(422).send(refused) });

	it('in the error of a run, its description and its stack; what was sent stays as it is', async () => {
		answer();
		const { error } = await tenant.run(create);
		expect(error?.message).toBe(`No ${SHOWN}`);
		expect(error?.description?.split('\n')).toEqual([
			'The service refused the values (HTTP 422).',
			`Title: Taken: ${SHOWN}`,
			`${SHOWN}: is odd`,
			'Correct the values named here and try again.',
		]);
		expect(error?.stack).not.toContain('<a href');
		expect(tenant.bodies(CREATE)).toEqual([{ title: MARKUP }]);
	});

	it('in the item of a failed one with Continue, and for the model of a tool', async () => {
		answer();
		const { items } = await tenant.run(create, { onError: 'continueRegularOutput' });
		expect(items[0].json.error).toBe(`No ${SHOWN}`);
		const call = await tenant.tool(create, {});
		const told = JSON.stringify(await call({}).catch(String));
		expect(told).toContain(`No ${SHOWN}`);
		expect(told).not.toContain('<a href');
		expect(tenant.bodies(CREATE)).toEqual([{ title: MARKUP }, { title: MARKUP }]);
	});

	it('in an error about a value of an item, of which nothing is sent', async () => {
		const { error } = await tenant.run({
			resource: 'customer',
			operation: 'bulkDelete',
			customerIds: MARKUP,
		});
		expect(error?.message).toContain('contains "‹a href=');
		expect(error?.message).not.toContain('<a href');
		expect(tenant.requests).toEqual([]);
	});

	it('in a hint; the message that may have been sent keeps its words', async () => {
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const items = [{ json: { displayId: '491711234567', name: 'Mira', [MARKUP]: 'x' } }];
		const imported = async () =>
			await tenant.run({ resource: 'customer', operation: 'bulkImport', columns }, { items });
		const { run, error } = await imported();
		const hints = run.data.resultData.runData.Node[0].hints?.map(({ message }) => message) ?? [];
		expect([...hints, error?.message, error?.description].join('\n')).not.toContain('<a href');
		tenant.answer({
			'POST /customers/bulk-import': () => ({
				data: { created_count: 1, updated_count: 0, skipped_count: 0 },
			}),
		});
		const { run: next } = await imported();
		expect(next.data.resultData.runData.Node[0].hints?.map(({ message }) => message)).toContainEqual(
			expect.stringContaining('"‹a href=//e.io class=el-overlay>'),
		);
		tenant.answer({ 'POST /conversations/7/messages': refusal(500, `No ${MARKUP}`) });
		const send = {
			resource: 'message',
			operation: 'send',
			conversationId: '7',
			messageType: 'text',
			text: MARKUP,
		};
		const unclear = await tenant.run(send);
		expect(unclear.error?.description).toContain(SHOWN);
		expect(unclear.error?.context.sent).toMatchObject({ text: { content: MARKUP } });
	});

	it('in the editor, in a poll and in the test of a credential', async () => {
		odd.answer(async (_, reply) => await reply.code(422).send(refused));
		const { credentials } = odd;
		const { methods, context } = await editorOf({ parameters: {}, credentials });
		const ofList = await methods.listSearch?.searchTags.call(context).catch((error: Error) => error);
		expect((ofList as Error).message).toMatch(new RegExp(`^No ${SHOWN}\\. `));
		expect((ofList as Error).message).not.toMatch(/<[a-z]/);
		const polling = new PollingNode({ parameters: { event: 'newCustomer' }, credentials });
		const ofPoll = await polling.poll().catch((error: Error) => error);
		expect((ofPoll as Error).message).toBe(`No ${SHOWN}`);
		expect(await failureOfCredentialTest(credentials)).toContain(SHOWN);
	});

	it('in the notice of a form about a template that is not there', async () => {
		tenant.answer({ 'GET /templates': () => ({ data: [] }) });
		const parameters = {
			...{ resource: 'message', operation: 'sendTemplate', templateName: byId(MARKUP) },
			templateLanguage: 'de',
		};
		const { methods, context } = await tenant.editor(parameters);
		const form = await methods.resourceMapping?.getTemplateVariables.call(context);
		expect(form?.emptyFieldsNotice).toContain('"&lt;a href=//e.io class=el-overlay&gt;Log in&lt;/a&gt;"');
	});
});
