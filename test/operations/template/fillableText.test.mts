import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const good: IDataObject = {
	...{ resource: 'template', operation: 'create', name: 'parcel_7', language: 'en_US' },
	templateCategory: 'UTILITY',
	templateHeader: { header: { text: 'Hello {{1}}', sample: 'Jo' } },
	templateBody: 'Your parcel {{1}} arrives on {{2}}.\n\nThank you',
	bodySamples: {
		variable: [
			{ name: '1', text: 'A-1001' },
			{ name: '2', text: 'Monday' },
		],
	},
	templateFooter: 'Reply STOP',
	templateButtons: {
		button: [
			{ type: 'QUICK_REPLY', text: 'Thanks' },
			{ type: 'URL', text: 'Track', url: 'https://a.example/{{1}}', sample: 'https://a.example/7' },
			{ type: 'COPY_CODE', sample: 'SAVE10' },
		],
	},
};

const create = async (parameters: IDataObject) =>
	await tenant.run({ ...good, ...parameters } as INodeParameters);

const body = (templateBody: string, ...names: string[]) => ({
	templateBody,
	bodySamples: { variable: names.map((name) => ({ name, text: 'a' })) },
});
const buttons = (...button: IDataObject[]) => ({ templateButtons: { button } });
const header = (row: IDataObject) => ({ templateHeader: { header: row } });
const reply = { type: 'QUICK_REPLY', text: 'Thanks' };
const link = { type: 'URL', text: 'Track', url: 'https://a.example/' };

describe('what Send Template could not fill in is refused', () => {
	it.each<[IDataObject, string]>([
		[
			body('{{1}} and {{3}}, hello'),
			'Body has variables that do not fit: they have {{1}}, {{3}}, but not {{2}}',
		],
		[body('Dear {{2}}, hello'), 'Body has variables that do not fit: they have {{2}}, but not {{1}}'],
		[
			body('Dear {{1}} {{name}}, hello'),
			'Body has variables that do not fit: they mix numbers and names: {{1}}, {{name}}',
		],
		[
			header({ text: 'Hello {{2}}', sample: 'Jo' }),
			'Header (Text) has variables that do not fit: they have {{2}}, but not {{1}}',
		],
		[
			{ templateFooter: 'Yours, {{2}}' },
			'Footer has variables that do not fit: they have {{2}}, but not {{1}}',
		],
		[
			buttons(reply, { ...link, url: 'https://a.example/{{2}}', sample: 'https://a.example/7' }),
			'Buttons (URL, row 2) has variables that do not fit: they have {{2}}, but not {{1}}',
		],
	])('%j', async (parameters, problem) => {
		const { error } = await create(parameters);
		expect(error?.message).toBe(problem);
		expect(tenant.requests).toEqual([]);
	});
});
