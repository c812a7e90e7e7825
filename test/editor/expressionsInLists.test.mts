import type { INodeListSearchResult, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const PARAMETERS: INodeParameters = {
	...{ resource: 'profile', operation: 'update', profileId: byId(5) },
};

/** Every list of the editor, by what n8n calls it. */
async function lists(): Promise<Array<[method: string, entries: () => Promise<INodePropertyOptions[]>]>> {
	const { methods, context } = await tenant.editor(PARAMETERS);
	return [
		...Object.entries(methods.loadOptions ?? {}).map(
			([name, load]): [string, () => Promise<INodePropertyOptions[]>] => [
				name,
				async () => await load.call(context),
			],
		),
		...Object.entries(methods.listSearch ?? {}).map(
			([name, search]): [string, () => Promise<INodePropertyOptions[]>] => [
				name,
				async () => ((await search.call(context)) as INodeListSearchResult).results,
			],
		),
	];
}

/** A record whose every text is an expression, beside one that is known by plain words. */
const recordsOf = (computed: string) => {
	const record = (words: string, id: number) => ({
		...{ id, customer_id: id, name: words, title: words, label: words, text: words, filename: words },
		...{ type: words, channel: words, code: words, language: words, status: 'APPROVED', uuid: words },
		...{ internal_uuid: words, message_type: [words], display_id: '491711234567' },
		components: [],
	});
	return [record('plain', 1), record(computed, 2)];
};

describe('an entry that begins with =', () => {
	const COMPUTED = '={{ $execution.id }}';

	beforeEach(() => {
		const data = recordsOf(COMPUTED);
		const answer = () => ({ data });
		const all = [
			...['agents', 'customers', 'groups', 'me/notifications', 'media', 'profiles', 'profiles/5/activities'],
			...['support/activity-types', 'support/channels', 'support/chatapp-template-languages'],
			...['tags', 'templates', 'users'],
		];
		const schema = { type: 'object', properties: { plain_field: {}, [COMPUTED]: {} } };
		const patch = { requestBody: { content: { 'application/json': { schema } } } };
		const description = JSON.stringify({ openapi: '3.0.0', paths: { '/profiles/{id}': { patch } } });
		tenant.answer({
			...Object.fromEntries(all.map((path) => [`GET /${path}`, answer])),
			'GET /support/openapi': () => description,
		});
	});

	it('is in none of the lists, in which n8n would compute it in each run', async () => {
		const told: Record<string, string> = {};
		for (const [name, entries] of await lists()) {
			const options = await entries();
			for (const option of options) {
				expect([name, String(option.value)]).toEqual([name, expect.not.stringMatching(/^=/)]);
				expect([name, option.name]).toEqual([name, expect.not.stringMatching(/^=/)]);
			}
			const note = options.find(({ name: words }) => words.includes('begins with ='));
			if (!note) continue;
			expect(note.value).toBe('');
			told[name] = note.name;
			// The others of the list stay.
			expect(options.some(({ value }) => String(value).includes('plain'))).toBe(true);
		}
		const said = '1 more with a value that begins with = cannot be listed';
		expect(told).toEqual({
			getActivityTypes: said,
			getChannels: said,
			getLanguages: said,
			...{ searchHeaderFiles: said, searchMessageTypes: said, searchNotifications: said },
			searchTemplates: said,
		});
	});

	it('whose ID is plain can be chosen, by a label that n8n does not compute', async () => {
		const all = new Map(await lists());
		const labels = async (name: string) =>
			((await all.get(name)?.()) ?? []).filter(({ value }) => value === 2).map(({ name: label }) => label);
		expect(await labels('searchTags')).toEqual([` ${COMPUTED}`]);
		expect(await labels('getTags')).toEqual([` ${COMPUTED}`]);
		expect(await labels('searchCustomers')).toEqual([` ${COMPUTED} (491711234567)`]);
		expect(await labels('searchGroups')).toEqual([` ${COMPUTED}`]);
	});
});

it('the button of a template that begins with = has a label that n8n does not compute', async () => {
	const url = { type: 'URL', text: '=1+1', url: 'https://x.example/{{1}}' };
	const template = { name: 'a', language: 'de', components: [{ type: 'BUTTONS', buttons: [url] }] };
	tenant.answer({ 'GET /templates': () => ({ data: [template] }) });
	const parameters = {
		...{ resource: 'message', operation: 'sendTemplate', templateName: byId('a'), templateLanguage: 'de' },
	};
	const { methods, context } = await tenant.editor(parameters);
	const { fields = [] } = (await methods.resourceMapping?.getTemplateVariables.call(context)) ?? {};
	expect(fields.map(({ displayName }) => displayName)).toEqual([expect.stringMatching(/^ =1\+1 · /)]);
});
