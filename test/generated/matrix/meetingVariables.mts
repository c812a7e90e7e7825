import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ContractTenant } from './contractTenant.mts';
import { exchange, itemOf } from './exchange.mts';
import { isSame, type Meeting } from './meetingParameters.mts';

const byId = (value: string): IDataObject => ({ __rl: true, mode: 'id', value });

const TEMPLATE: INodeParameters = {
	resource: 'message',
	operation: 'sendTemplate',
	recipient: 'phoneNumber',
	phoneNumber: '+49 171 7102000',
	agentId: byId('7102') as INodeParameters,
	templateName: byId('Sigma') as INodeParameters,
	templateLanguage: 'Sigma',
};

/** Texts of the body's variables in their order; one that is known by its name as `name=text`. */
type Texts = string[];

const EMPTY = '={{ "" }}';
const NULL = '={{ null }}';
const MISSING = '={{ $json.missing }}';

interface Case {
	what: string;
	/** Names and texts of the variables, in the order in which a person filled them in. */
	rows: Array<[name: unknown, text: string]>;
	/** What may go out. */
	allowed: Texts[];
	/** It is right as it is, so that there is no error. */
	isRight?: true;
}

/** Variables are known by their place, so none may take the place of another, or by their name, and never both. */
const BUILT: Case[] = [
	{
		what: '2 before 1',
		rows: [
			['2', 'Two'],
			['1', 'One'],
		],
		allowed: [['One', 'Two']],
		isRight: true,
	},
	{
		what: '1 to 11, the last first',
		rows: Array.from({ length: 11 }, (_, index) => [String(11 - index), `Text ${11 - index}`]),
		allowed: [Array.from({ length: 11 }, (_, index) => `Text ${index + 1}`)],
		isRight: true,
	},
	{
		what: 'names',
		rows: [
			['last_name', 'Two'],
			['first_name', 'One'],
		],
		allowed: [
			['last_name=Two', 'first_name=One'],
			['first_name=One', 'last_name=Two'],
		],
		isRight: true,
	},
	{
		what: '1 and 3',
		rows: [
			['1', 'One'],
			['3', 'Three'],
		],
		allowed: [],
	},
	{ what: '2 without 1', rows: [['2', 'Two']], allowed: [] },
	{
		what: '0 and 1',
		rows: [
			['0', 'Nought'],
			['1', 'One'],
		],
		allowed: [],
	},
	{
		what: 'a name after 1',
		rows: [
			['1', 'One'],
			['first_name', 'Jo'],
		],
		allowed: [],
	},
	{
		what: 'a name before 1',
		rows: [
			['first_name', 'Jo'],
			['1', 'One'],
		],
		allowed: [],
	},
	{
		what: 'no name',
		rows: [
			['1', 'One'],
			['', 'Lost'],
		],
		allowed: [],
	},
	{
		what: 'an empty row',
		rows: [
			['1', 'One'],
			['', ''],
		],
		allowed: [['One']],
	},
	...[EMPTY, NULL, MISSING].flatMap((nothing): Case[] => [
		{
			what: `1 is ${nothing}`,
			rows: [
				['1', nothing],
				['2', 'Two'],
			],
			allowed: [['', 'Two']],
		},
		{
			what: `2 of 3 is ${nothing}`,
			rows: [
				['1', 'One'],
				['2', nothing],
				['3', 'Three'],
			],
			allowed: [['One', '', 'Three']],
		},
		{
			what: `the last is ${nothing}`,
			rows: [
				['1', 'One'],
				['2', 'Two'],
				['3', nothing],
			],
			allowed: [
				['One', 'Two'],
				['One', 'Two', ''],
			],
		},
	]),
];

/** The form, whose fields come from a template with two variables. */
interface FormCase {
	what: string;
	values: IDataObject;
	/** Changes to the fields of the form. */
	fields: IDataObject[];
	allowed: Texts[];
	isRight?: true;
}

const field = (name: string, more: IDataObject = {}): IDataObject => ({
	id: `body_${name}`,
	displayName: `{{${name}}}`,
	type: 'string',
	isNeeded: true,
	display: true,
	defaultMatch: false,
	...more,
});

const BOTH = [field('1'), field('2')];

const FORM: FormCase[] = [
	{
		what: 'both',
		values: { body_2: 'Two', body_1: 'One' },
		fields: BOTH,
		allowed: [['One', 'Two']],
		isRight: true,
	},
	...[EMPTY, NULL, MISSING].flatMap((nothing): FormCase[] => [
		{ what: `1 is ${nothing}`, values: { body_1: nothing, body_2: 'Two' }, fields: BOTH, allowed: [] },
		{
			what: `1 is ${nothing} and not required`,
			values: { body_1: nothing, body_2: 'Two' },
			fields: [field('1', { isNeeded: false }), field('2')],
			allowed: [['', 'Two']],
		},
		{
			what: `one too many is ${nothing}`,
			values: { body_1: 'One', body_2: 'Two', body_3: nothing },
			fields: BOTH,
			allowed: [['One', 'Two']],
		},
	]),
	{
		what: '1 is taken out',
		values: { body_2: 'Two' },
		fields: [field('1', { removed: true }), field('2')],
		allowed: [],
	},
	{ what: '1 is not there', values: { body_2: 'Two' }, fields: [], allowed: [] },
	{ what: '1 and 3', values: { body_1: 'One', body_3: 'Three' }, fields: [], allowed: [] },
	{ what: 'a name beside 1', values: { body_first_name: 'Jo', body_1: 'One' }, fields: [], allowed: [] },
];

/** The texts of the body's variables as they went out. */
function textsOf(body: unknown): Texts {
	const { template_components: components = [] } = (body ?? {}) as { template_components?: IDataObject[] };
	const parameters = components.find(({ type }) => type === 'body')?.parameters as IDataObject[] | undefined;
	return (parameters ?? []).map(({ parameter_name: name, text }) =>
		name === undefined ? String(text) : `${String(name)}=${String(text)}`,
	);
}

/** The indexes of buttons and their values as they went out. */
function buttonsOf(body: unknown): string[] {
	const { template_components: components = [] } = (body ?? {}) as { template_components?: IDataObject[] };
	return components
		.filter(({ type }) => type === 'button')
		.map(({ index, parameters }) => `${String(index)}=${String((parameters as IDataObject[])[0].text)}`)
		.sort();
}

/** Positions and values of buttons, and what may go out. */
const BUTTONS: Array<{ what: string; rows: Array<[unknown, string]>; allowed: string[][]; isRight?: true }> =
	[
		{
			what: '2 before 1',
			rows: [
				[2, 'Two'],
				[1, 'One'],
			],
			allowed: [['0=One', '1=Two']],
			isRight: true,
		},
		{
			what: '1 and 3',
			rows: [
				[1, 'One'],
				[3, 'Three'],
			],
			allowed: [['0=One', '2=Three']],
			isRight: true,
		},
		...[EMPTY, NULL].map((nothing) => ({
			what: `1 is ${nothing}`,
			rows: [
				[1, nothing],
				[2, 'Two'],
			] as Array<[unknown, string]>,
			allowed: [['1=Two']],
		})),
		{
			what: '0 and 1',
			rows: [
				[0, 'Nought'],
				[1, 'One'],
			],
			allowed: [],
		},
		{ what: '11', rows: [[11, 'Eleven']], allowed: [] },
	];

/** Variables of a template that meet in the same list. */
export function meetingVariables(tenant: ContractTenant): Meeting[] {
	const meeting = (
		name: string,
		parameters: INodeParameters,
		allows: Meeting['allows'],
		labels: string[] | undefined,
	): Meeting => ({
		name: `message: sendTemplate ${name}`,
		run: async () => await exchange(tenant, { ...TEMPLATE, ...parameters }, [itemOf({})]),
		allows,
		...(labels && { labels }),
	});
	return [
		...BUILT.map(({ what, rows, allowed, isRight }) =>
			meeting(
				`bodyVariables: ${what}`,
				{
					variablesMode: 'components',
					bodyVariables: { variable: rows.map(([name, text]) => ({ name, text })) } as INodeParameters,
				},
				(body) => allowed.some((texts) => isSame(texts, textsOf(body))),
				isRight ? undefined : ['Body Variables', 'Variable Name'],
			),
		),
		...FORM.map(({ what, values, fields, allowed, isRight }) =>
			meeting(
				`variables: ${what}`,
				{
					variablesMode: 'form',
					variables: {
						mappingMode: 'defineBelow',
						value: values,
						schema: fields,
					} as unknown as INodeParameters,
				},
				(body) => allowed.some((texts) => isSame(texts, textsOf(body))),
				isRight ? undefined : ['Template Variables', '{{1}}', '{{2}}', 'body_1', 'body_2'],
			),
		),
		...BUTTONS.map(({ what, rows, allowed, isRight }) =>
			meeting(
				`buttons: ${what}`,
				{
					variablesMode: 'components',
					buttons: {
						button: rows.map(([position, value]) => ({ position, type: 'url', value })),
					} as INodeParameters,
				},
				(body) => allowed.some((buttons) => isSame(buttons, buttonsOf(body))),
				isRight ? undefined : ['Buttons', 'Position', 'Value'],
			),
		),
	];
}

/** IDs and titles, and the tags that they make together; the tenant has VIP as 3 and no tag Returns. */
const TAG_CASES: Array<{ what: string; tagIds: unknown; tags: unknown; made: IDataObject[] }> = [
	{ what: 'both', tagIds: [3], tags: 'Returns', made: [{ id: 3 }, { title: 'Returns' }] },
	{ what: 'an ID and its title', tagIds: [3], tags: 'VIP', made: [{ id: 3 }] },
	{ what: 'an ID twice', tagIds: [3, '3'], tags: [{ id: 3 }], made: [{ id: 3 }] },
	{ what: 'an ID and its record', tagIds: [3], tags: [{ id: 3, title: 'VIP' }], made: [{ id: 3 }] },
	{ what: 'a title twice', tagIds: [], tags: 'Returns, Returns', made: [{ title: 'Returns' }] },
	{
		what: 'a new title and its record',
		tagIds: [],
		tags: ['Returns', { title: 'Returns' }],
		made: [{ title: 'Returns' }],
	},
	{
		what: 'an ID of nothing beside a title',
		tagIds: [3],
		tags: [{ id: null, title: 'Returns' }],
		made: [{ id: 3 }, { title: 'Returns' }],
	},
];

/** IDs and titles that meet in one set of tags. */
export function meetingTags(tenant: ContractTenant): Meeting[] {
	return ['media', 'profile'].flatMap((resource) =>
		['addTags', 'setTags'].flatMap((operation) =>
			TAG_CASES.map(({ what, tagIds, tags, made }): Meeting => {
				// Those that are attached already stay when some are added.
				const before = operation === 'addTags' ? [{ id: 1 }, { id: 2 }] : [];
				return {
					name: `${resource}: ${operation} tagIds + tags: ${what}`,
					run: async () =>
						await exchange(
							tenant,
							{
								resource,
								operation,
								[`${resource}Id`]: byId('7102') as INodeParameters,
								tagIds: '={{ $json.tagIds }}',
								tags: '={{ $json.tags }}',
							},
							[itemOf({ tagIds, tags } as IDataObject)],
						),
					allows: (body) => {
						const sent = ((body as { tags?: IDataObject[] } | undefined)?.tags ?? []).map(({ id, title }) =>
							typeof id === 'number' ? { id } : { title },
						);
						return isSame([...before, ...made], sent);
					},
				};
			}),
		),
	);
}
