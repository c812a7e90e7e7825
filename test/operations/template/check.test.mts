import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeRun } from '../../engine/engine.mts';
import { ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const CREATE = 'POST /templates';

beforeEach(() => tenant.answer({ [CREATE]: () => ({ id: 1 }) }));

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

const hints = ({ run }: NodeRun) =>
	(run.data.resultData.runData.Node[0].hints ?? []).map(({ message }) => message);

const hint = (what: string, source = 'template components') =>
	`1 of 1 items have ${what}, which WhatsApp may refuse (${source}).`;

const body = (templateBody: string, ...names: string[]) => ({
	templateBody,
	bodySamples: { variable: names.map((name) => ({ name, text: 'a' })) },
});
const buttons = (...button: IDataObject[]) => ({ templateButtons: { button } });
const header = (row: IDataObject) => ({ templateHeader: { header: row } });
const reply = { type: 'QUICK_REPLY', text: 'Thanks' };
const link = { type: 'URL', text: 'Track', url: 'https://a.example/' };
const call = { type: 'PHONE_NUMBER', text: 'Call', phoneNumber: '+49 171 1234567' };
const code = { type: 'COPY_CODE', sample: 'SAVE10' };

it.each([
	{},
	header({ text: 'Acme® №1' }),
	// Each of these is one character and two UTF-16 units.
	body('😀'.repeat(1024)),
	{ templateFooter: '😀'.repeat(60) },
	buttons({ ...reply, text: '😀'.repeat(25) }),
	buttons({ ...link, url: 'https://a.example/{{code}}', sample: 'https://a.example/7' }),
])('a template that breaks no rule has no hint: %j', async (parameters) => {
	const ran = await create(parameters);
	expect(ran.error).toBeUndefined();
	expect(hints(ran)).toEqual([]);
});

describe('a broken rule is told, and the template goes out:', () => {
	const broken: Array<[parameters: IDataObject, what: string, source?: string]> = [
		[{ name: 'a'.repeat(513) }, 'a name of more than 512 characters'],
		[{ name: 'Parcel 7' }, 'a name of others than a to z, 0 to 9 and _'],
		[{ ...body(''), ...header({ text: 'Hi' }) }, 'no body'],
		[header({ text: 'a'.repeat(61) }), 'a header of more than 60 characters', 'error 2388040'],
		[body('a'.repeat(1025)), 'a body of more than 1,024 characters', 'error 2388040'],
		[{ templateFooter: 'a'.repeat(61) }, 'a footer of more than 60 characters', 'error 2388040'],
		[
			buttons({ ...reply, text: 'a'.repeat(26) }),
			'a button text of more than 25 characters',
			'error 2388040',
		],
		[
			buttons({ ...link, url: `https://a.example/${'😀'.repeat(2000)}` }),
			'a button URL of more than 2,000 characters',
		],
		[header({ text: 'Hi {{1}} and {{2}}', sample: 'Jo' }), 'several variables in the header'],
		[header({ text: 'Hello ❤️' }), 'a line break, * or emoji in the header', 'error 2388047'],
		[header({ text: 'Hello 🎉' }), 'a line break, * or emoji in the header', 'error 2388047'],
		[header({ text: '*Hello*' }), 'a line break, * or emoji in the header', 'error 2388047'],
		[body('a\n\n\nb'), 'more than two line breaks in a row', 'error 2388072'],
		[body('{{1}} is here', '1'), 'a variable at an end of the body', 'error 2388299'],
		[body('Here is {{1}} ', '1'), 'a variable at an end of the body', 'error 2388299'],
		[
			body('Dear {{1}} {{2}}, hello', '1', '2'),
			'two variables without words between them',
			'template guidelines',
		],
		[body('Dear {{First}}, hello', 'First'), 'a name of a variable of others than a to z, 0 to 9 and _'],
		[{ templateFooter: 'Yours, {{1}}' }, 'a variable in the footer'],
		[
			buttons({ ...link, url: 'https://{{1}}.example/a', sample: 'a' }),
			'a button URL with a variable before its end',
		],
		[buttons(...Array.from({ length: 11 }, () => reply)), 'more than 10 buttons'],
		[buttons(link, link, link), 'more than 2 URL buttons'],
		[buttons(call, call), 'more than 1 phone number button'],
		[buttons(code, code), 'more than 1 copy code button'],
		[buttons(reply, link, reply), 'quick replies on both sides of another button'],
		[{ ...body('Dear {{1}}, hello') }, 'a variable, a file or a code without a sample'],
		[header({ type: 'IMAGE' }), 'a variable, a file or a code without a sample'],
		[buttons({ ...code, sample: '' }), 'a variable, a file or a code without a sample'],
	];

	it.each(broken.map(([parameters, what, source]) => ({ parameters, what, source })))(
		'$what',
		async ({ parameters, what, source }) => {
			const ran = await create(parameters);
			expect(ran.error).toBeUndefined();
			expect(hints(ran)).toEqual([hint(what, source)]);
			expect(tenant.requests).toEqual([CREATE]);
		},
	);

	it('of a template in JSON too, and of several items once each', async () => {
		const fields = JSON.stringify({ name: 'fresh', components: [{ type: 'BODY', text: '{{1}}' }] });
		const ran = await tenant.run(
			{ resource: 'template', operation: 'create', options: { fieldsJson: fields } },
			{ items: [{ json: {} }, { json: {} }] },
		);
		expect(ran.error).toBeUndefined();
		expect(hints(ran)).toEqual([
			'2 of 2 items have a variable at an end of the body, which WhatsApp may refuse (error 2388299).',
			'2 of 2 items have a variable, a file or a code without a sample, which WhatsApp may refuse (template components).',
		]);
	});
});

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
