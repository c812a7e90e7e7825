import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { InvalidValue } from '../../nodes/CustomerMessaging/values/parse.ts';
import {
	bodyVariableValues,
	buttonValues,
	headerValues,
} from '../../nodes/CustomerMessaging/messages/template/variableFields.ts';
import { pixelBinary } from '../engine/pixel.mts';
import { byId } from '../engine/tenant.mts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';
import { rowOfSent } from '../engine/summaryOfSent.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';

beforeEach(() => tenant.answer({ [SEND]: () => ({ data: { id: 1 } }) }));

const template = {
	resource: 'message',
	operation: 'sendTemplate',
	recipient: 'phoneNumber',
	phoneNumber: '+49 171 1234567',
	agentId: byId('11'),
	templateName: byId('welcome'),
	templateLanguage: 'en_US',
};

/** Components that are put together by hand. */
const built = (parts: IDataObject): INodeParameters => ({
	...template,
	variablesMode: 'components',
	...(parts as INodeParameters),
});
const header = (row: IDataObject) => built({ header: { header: row } });
const bodyOf = (...rows: Array<[name: unknown, text: unknown]>) =>
	built({ bodyVariables: { variable: rows.map(([name, text]) => ({ name, text }) as IDataObject) } });
const buttonsOf = (...rows: IDataObject[]) => built({ buttons: { button: rows } });

const field = (id: string, more: IDataObject = {}): IDataObject => ({
	id,
	displayName: `Label of ${id}`,
	type: 'string',
	isNeeded: true,
	display: true,
	defaultMatch: false,
	...more,
});

/** A form whose fields come from a template. */
const form = (value: IDataObject, schema: IDataObject[] = []): INodeParameters => ({
	...template,
	variablesMode: 'form',
	variables: { mappingMode: 'defineBelow', value, schema } as unknown as INodeParameters,
});

const LOCATION = { type: 'location', latitude: '52.5200', longitude: '13.4050' };
const textOf = (text: string) => ({ type: 'text', text });
const named = (parameter_name: string, text: string) => ({ type: 'text', parameter_name, text });
const part = (type: string, ...parameters: IDataObject[]) => ({ type, parameters });

const MISSING = '={{ $json.missing }}';
const DATE = '={{ new Date("2024-03-05T12:07:08.000Z") }}';

it.each<[string, INodeParameters, unknown[]]>([
	[
		'the header of a place, of which only the place is known',
		header(LOCATION),
		[part('header', { type: 'location', location: { latitude: '52.5200', longitude: '13.4050' } })],
	],
	[
		'the header of a place with its name, and degrees as numbers',
		header({
			...LOCATION,
			latitude: '={{ -0.5 }}',
			longitude: '={{ 13 }}',
			placeName: 'Shop',
			placeAddress: '  ',
		}),
		[part('header', { type: 'location', location: { latitude: '-0.5', longitude: '13', name: 'Shop' } })],
	],
	[
		'the header of a text, whatever is filled in for other types',
		header({ type: 'text', name: '{{ first_name }}', text: 'Jo', latitude: 'north', file: '={{ ({}) }}' }),
		[part('header', named('first_name', 'Jo'))],
	],
	[
		'the header of a document with a name of its own',
		header({ type: 'document', file: 'https://shop.example/a', filename: 'a.pdf' }),
		[part('header', { type: 'document', document: { link: 'https://shop.example/a', filename: 'a.pdf' } })],
	],
	[
		'texts that are no texts, in the order of their numbers',
		bodyOf(['={{ 3 }}', '={{ true }}'], [' 02 ', '={{ 12.5 }}'], ['{{1}}', DATE]),
		[part('body', textOf('2024-03-05T12:07:08.000Z'), textOf('12.5'), textOf('true'))],
	],
	[
		'a text that was cut within a character, of which a replacement character is left',
		bodyOf(['1', '={{ "Hi \ud83d\ude00".slice(0, 4) }}']),
		[part('body', textOf('Hi \ufffd'))],
	],
	[
		'variables with names',
		bodyOf(['last_name', 'Smith'], ['{{first_name}}', 'Jo']),
		[part('body', named('last_name', 'Smith'), named('first_name', 'Jo'))],
	],
	[
		'buttons in their order, some of which need no value',
		buttonsOf({ position: ' 10 ', type: 'url', value: 'B' }, { position: 2, type: 'url', value: 'A' }),
		[
			{ type: 'button', sub_type: 'url', index: '1', parameters: [textOf('A')] },
			{ type: 'button', sub_type: 'url', index: '9', parameters: [textOf('B')] },
		],
	],
	['nothing at all', built({}), []],
	[
		'a form with values that may stay empty, behind those that are filled',
		form({ body_1: 'Jo', body_2: MISSING, button_0_quick_reply: '', header_location_name: null }, [
			field('body_1'),
			field('body_2', { isNeeded: false }),
		]),
		[part('body', textOf('Jo'))],
	],
	[
		'a form with values that are no texts',
		form({
			body_1: DATE,
			body_2: '={{ 0 }}',
			header_location_latitude: '={{ 1 }}',
			header_location_longitude: ' 2 ',
		}),
		[
			part('header', { type: 'location', location: { latitude: '1', longitude: '2' } }),
			part('body', textOf('2024-03-05T12:07:08.000Z'), textOf('0')),
		],
	],
	[
		'components as JSON, as they are, also with a text that is empty before another',
		{
			...template,
			variablesMode: 'json',
			templateComponents: JSON.stringify([part('body', textOf(''), textOf('Jo'))]),
		},
		[part('body', textOf(''), textOf('Jo'))],
	],
])('%s', async (_what, parameters, components) => {
	const { items, error } = await tenant.run(parameters);
	expect(error).toBeUndefined();
	expect(tenant.bodies(SEND).map(({ template_components: sent }) => sent)).toEqual([components]);
	expect(items).toEqual([{ json: rowOfSent({ id: 1 }, tenant.bodies(SEND)[0]), pairedItem: { item: 0 } }]);
});

it.each<[string, INodeParameters, string]>([
	[
		'another type of header',
		header({ type: '={{ "Image" }}' }),
		'Header (Type) is "Image", which cannot be chosen',
	],
	['no type of header', header({ type: MISSING }), 'Header (Type) is "undefined", which cannot be chosen'],
	['a header without its file', header({ type: 'image', file: MISSING }), 'Header (File) is empty'],
	['a file that is none', header({ type: 'image', file: 'picture' }), 'Header File "picture" is not a file'],
	[
		'a file that is inherited',
		header({ type: 'image', file: 'toString' }),
		'Header File "toString" is not a file',
	],
	['a header without its text', header({ type: 'text', text: '' }), 'Header (Text) is empty'],
	[
		'a header variable 2 without 1',
		header({ type: 'text', name: '2', text: 'Jo' }),
		'Variables have {{2}}, but not {{1}}',
	],
	[
		'a header variable 0',
		header({ type: 'text', name: '0', text: 'Jo' }),
		'Header (Variable Name) "0" is not the name of a variable',
	],
	['a place without a latitude', header({ ...LOCATION, latitude: '' }), 'Header (Latitude) is empty'],
	[
		'a longitude with a comma',
		header({ ...LOCATION, longitude: '13,4' }),
		'Variables (the longitude of the header) "13,4" is not a number of degrees between -180 and 180',
	],
	['a variable without a text', bodyOf(['1', 'Jo'], ['2', MISSING]), 'Body Variables (Text, row 2) is empty'],
	['a variable with a blank text', bodyOf(['1', '  ']), 'Body Variables (Text, row 1) is empty'],
	['a row that is empty', bodyOf(['1', 'Jo'], ['', '']), 'Body Variables (Variable Name, row 2) is empty'],
	...['0', '-1', '1.5', 'first name', '{{}}', '{{1}'].map((name): [string, INodeParameters, string] => [
		`a variable called ${name}`,
		bodyOf([`={{ ${JSON.stringify(name).replaceAll('{', '\\u007b').replaceAll('}', '\\u007d')} }}`, 'Jo']),
		`Body Variables (Variable Name, row 1) "${name}" is not the name of a variable`,
	]),
	['variable 1 twice', bodyOf(['1', 'Jo'], ['01', 'Sam']), 'Body Variables has "1" twice'],
	['a name twice', bodyOf(['a', 'Jo'], [' a ', 'Sam']), 'Body Variables has "a" twice'],
	['variables 1 and 3', bodyOf(['3', 'Jo'], ['1', 'Sam']), 'Variables have {{3}}, but not {{2}}'],
	...[
		[0, '0 is less than 1'],
		[11, '11 is more than 10'],
		[1.5, '"1.5" is not a whole number'],
		[-1, '-1 is less than 1'],
		[true, '"true" is not a number'],
		['first', '"first" is not a number'],
	].map(([position, problem]): [string, INodeParameters, string] => [
		`a button at ${position}`,
		buttonsOf({ position: `={{ ${JSON.stringify(position)} }}`, type: 'url', value: 'A' }),
		`Buttons (Position, row 1) ${problem}`,
	]),
	[
		'another type of button',
		buttonsOf({ position: 1, type: 'call', value: 'A' }),
		'Buttons (Type, row 1) is "call", which cannot be chosen',
	],
	[
		'a button without a value',
		buttonsOf({ position: 1, type: 'flow', value: MISSING }),
		'Buttons (Value, row 1) is empty',
	],
	[
		'a button twice',
		buttonsOf({ position: 1, type: 'url', value: 'A' }, { position: '1', type: 'quick_reply', value: 'B' }),
		'Buttons has "1" twice',
	],
	[
		'a required variable of the form that is blank',
		form({ body_1: ' ' }, [field('body_1', { about: 'The value for body_1' })]),
		'The value for body_1 is missing',
	],
	[
		'a variable of the form that is a list',
		form({ body_1: '={{ [1] }}' }, [field('body_1')]),
		'Label of body_1 "[1]" is not text',
	],
	[
		'a latitude of the form that is none',
		form({ header_location_latitude: 'north' }),
		'Variables (the latitude of the header) "north" is not a number of degrees between -90 and 90',
	],
	[
		'a variable of the form that is empty before another',
		form({ body_1: '', body_2: 'Jo' }, [field('body_1', { isNeeded: false }), field('body_2')]),
		'Variables have {{2}}, but not {{1}}',
	],
	[
		'a template that leaves a number out',
		form({ body_1: 'Jo', body_3: 'Sam' }, [field('body_1'), field('body_3')]),
		'Variables have {{3}}, but not {{2}}',
	],
	[
		'a header of the form that is no file',
		form({ header_image: 'picture' }, [field('header_image')]),
		'Header File "picture" is not a file',
	],
])('names %s, and sends nothing', async (_what, parameters, problem) => {
	const { error } = await tenant.run(parameters, { items: [{ json: {}, binary: { data: pixelBinary } }] });
	expect(error?.message).toBe(problem);
	expect(error?.context.itemIndex).toBe(0);
	expect(tenant.requests).toEqual([]);
});

it('uploads no file for a template with a variable that cannot be sent', async () => {
	const { error } = await tenant.run(form({ header_image: 'data', body_2: 'Jo' }), {
		items: [{ json: {}, binary: { data: pixelBinary } }],
	});
	expect(error?.message).toBe('Variables have {{2}}, but not {{1}}');
	expect(tenant.requests).toEqual([]);
});

describe('a collection as a whole', () => {
	it('may hold one row, and rows without what has a default', () => {
		expect(bodyVariableValues({ variable: { name: 1, text: 'Jo' } })).toEqual([['body_1', 'Jo']]);
		expect(buttonValues({ button: [{ value: 'A' }] })).toEqual([['button_0_url', 'A']]);
		expect(headerValues({ header: { text: 'Jo' } })).toEqual([['header_text_1', 'Jo']]);
	});

	it.each([bodyVariableValues, buttonValues, headerValues])('may hold nothing', (convert) => {
		expect(convert({})).toEqual([]);
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		['Jo'],
		[5],
		[[]],
		[{ variable: 'Jo', button: 5, header: 'Jo' }],
		[{ variable: ['Jo'], button: [null], header: [null] }],
	])('is refused where it is %j', (value) => {
		for (const convert of [bodyVariableValues, buttonValues, headerValues])
			expect(() => convert(value)).toThrow(InvalidValue);
	});
});
