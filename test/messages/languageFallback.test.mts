import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { templateValue } from '../../nodes/CustomerMessaging/messages/template/templateChoice.ts';
import { refusal, ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';
const LIST = 'GET /templates';

const offer = (language: string | undefined, more: IDataObject = {}): IDataObject => ({
	...{ name: 'offer', status: 'APPROVED', components: [{ type: 'BODY', text: `In ${language}` }] },
	...(language !== undefined && { language }),
	...more,
});

/** Sends the template to a person whose language is that of the item. */
const message = (languageFallback: unknown, more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567', agentId: byId(11) },
	...{ templateName: byId('offer'), templateLanguage: '={{ $json.language }}', variablesMode: 'components' },
	options: { languageFallback } as INodeParameters,
	...more,
});

const has = (...templates: unknown[]) =>
	tenant.answer({ [LIST]: () => ({ data: templates }), [SEND]: sentMessages() });

const people = (...languages: string[]) => ({ items: languages.map((language) => ({ json: { language } })) });

const sent = () => tenant.bodies(SEND).map((body) => body.template_language);

describe('Language Fallback of Send Template', () => {
	it('sends the language of the person, else the next of the list that the template has; the row says which', async () => {
		has(offer('de'), offer('en_US'), offer('fr', { name: 'other' }));
		const { items } = await tenant.run(message('fr, en_US, de'), people('de', 'it', 'en_US'));
		expect(tenant.requests.filter((request) => request === LIST)).toEqual([LIST]);
		expect(sent().sort()).toEqual(['de', 'en_US', 'en_US']);
		expect(items.map(({ json }) => json.language)).toEqual(['de', 'en_US', 'en_US']);
	});

	it.each<[unknown]>([['fr, de'], ['fr;de'], ['fr\nde'], ['={{ ["fr", "de"] }}'], ['["fr", "de"]']])(
		'takes a list in text and an array: %j',
		async (list) => {
			has(offer('de'), offer('fr'));
			await tenant.run(message(list), people('it'));
			expect(sent()).toEqual(['fr']);
		},
	);

	it('passes over a language that is not approved, also that of the person', async () => {
		has(offer('it', { status: 'PENDING' }), offer('fr', { status: 'rejected' }), offer('de'));
		await tenant.run(message('fr, de'), people('it'));
		expect(sent()).toEqual(['de']);
	});

	it('goes by the language of a template from the list', async () => {
		has(offer('de'));
		const templateName = { __rl: true, mode: 'list', value: templateValue('offer', 'en_US') };
		await tenant.run(message('de', { templateName, templateLanguage: '' }));
		expect(sent()).toEqual(['de']);
	});

	it.each<[string, unknown[]]>([
		['shows no template', []],
		['shows the template without a language', [offer(undefined), offer('de')]],
		['shows the template in none of them', [offer('es')]],
	])('guesses nothing where the account %s: the given one is sent', async (_what, templates) => {
		has(...templates);
		const { items } = await tenant.run(message('fr, de'), people('it'));
		expect(sent()).toEqual(['it']);
		expect(items[0].json).toMatchObject({ result: 'sent', language: 'it' });
	});

	it('guesses nothing where the token must not read the templates', async () => {
		tenant.answer({ [LIST]: refusal(403, 'Not allowed'), [SEND]: sentMessages() });
		await tenant.run(message('de'), people('it'));
		expect(sent()).toEqual(['it']);
	});

	it('does not read the templates where it is empty or left out', async () => {
		has(offer('de'));
		await tenant.run(message(''), people('it'));
		await tenant.run(message('', { options: {} }), people('it'));
		expect(tenant.requests).toEqual([SEND, SEND]);
		expect(sent()).toEqual(['it', 'it']);
	});

	it('sends nothing where its expression finds nothing, and names the field', async () => {
		has(offer('de'));
		const { error } = await tenant.run(message('={{ $json.none }}'), people('it'));
		expect(error?.message).toMatch(/^Language Fallback is empty/);
		expect(tenant.requests).toEqual([]);
	});

	it('sends nothing where the templates cannot be read', async () => {
		tenant.answer({ [LIST]: refusal(422, 'No list today'), [SEND]: sentMessages() });
		const { error } = await tenant.run(message('de'), people('it'));
		expect(error?.message).toBe('No list today');
		expect(sent()).toEqual([]);
	});
});

it('Language Fallback of Preview Template shows the text and the request of the language that would be sent', async () => {
	has(offer('de'), offer('en_US'));
	const { items } = await tenant.run(
		message('fr, de', { operation: 'previewTemplate' }),
		people('it', 'en_US'),
	);
	expect(items.map(({ json }) => [json.text, (json.request as IDataObject).template_language])).toEqual([
		['In de', 'de'],
		['In en_US', 'en_US'],
	]);
	expect(sent()).toEqual([]);
});
