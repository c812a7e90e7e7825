import { emptyCells } from '../core/emptyValues';
import { type Flat, options, setting } from '../core/field';
import { separator } from '../sets/tags';
import { choice } from '../values/choices';
import { objectOrEmpty } from '../values/json';

export const duplicates = setting(
	'options.duplicates',
	...choice(
		{
			override: 'Existing customers get the new values',
			skip: 'Existing customers stay as they are',
		},
		'override',
		{
			displayName: 'Existing Customers',
			description: 'What to do with phone numbers that the service knows already',
		},
	),
	'duplicates',
);

export const columns = setting('columns', objectOrEmpty, {
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'autoMapInputData', value: null },
	required: true,
	description: 'Which fields of the input items become which columns of the import',
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getImportColumns',
			mode: 'add',
			fieldWords: { singular: 'column', plural: 'columns' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
});

export const invalidValues = setting(
	'options.invalidValues',
	...choice(
		{
			fail: 'Nothing is sent when any value is invalid',
			skipRow: 'The row is left out and reported',
			skipValue: 'The value is left out and reported; a row without phone number or name is left out',
		},
		'skipValue',
		{ description: 'What to do with phone numbers, dates and email addresses that are none' },
	),
);

export const repeatedNumbers = setting(
	'options.repeatedNumbers',
	...choice(
		{
			fail: 'Nothing is sent when two rows have the same number',
			first: ['Keep First', 'Later rows of the same number are left out and reported'],
			last: ['Keep Last', 'Earlier rows of the same number are left out and reported'],
		},
		'last',
		{
			displayName: 'Repeated Phone Numbers',
			description: 'What to do when several rows have the same phone number',
		},
	),
);

export const ambiguousDates = setting(
	'options.ambiguousDates',
	...choice(
		{
			dayFirst: '04/12/1990 is the 4th of December',
			monthFirst: '04/12/1990 is the 12th of April',
			refuse: 'They are invalid values',
		},
		'refuse',
		{
			displayName: 'Dates Like 04/12',
			description: 'What to do with dates that can be read in two ways',
		},
	),
);

export const outputMode = setting(
	'options.output',
	...choice(
		{
			rows: ['One Item per Row', 'What became of each row'],
			summary: 'The counts of all requests, of up to 500 rows each',
		},
		'rows',
		{ description: 'What to give out' },
	),
);

export const importFields = [
	columns,
	options(ambiguousDates, emptyCells, duplicates, invalidValues, outputMode, repeatedNumbers, separator),
] as const;

export type ImportSetting = Extract<Flat<(typeof importFields)[number]>, { parse: unknown }>;
