import { emptyCells } from '../core/emptyValues';
import { type Flat, options, setting } from '../core/field';
import { separator } from '../sets/tagSet';
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
			description: 'What to do with customers that already exist',
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
			fail: 'Nothing is sent if any value is invalid',
			skipRow: 'The row is left out and reported',
			skipValue: 'The value is left out and reported. Rows without a phone number or name are left out.',
		},
		'skipValue',
		{ description: 'What to do with invalid phone numbers, dates and email addresses' },
	),
);

export const repeatedNumbers = setting(
	'options.repeatedNumbers',
	...choice(
		{
			fail: 'Nothing is sent if two rows have the same number',
			first: ['Keep First', 'Later rows with the same number are left out and reported'],
			last: ['Keep Last', 'Earlier rows with the same number are left out and reported'],
		},
		'last',
		{
			displayName: 'Repeated Phone Numbers',
			description: 'What to do if several rows have the same phone number',
		},
	),
);

export const ambiguousDates = setting(
	'options.ambiguousDates',
	...choice(
		{
			dayFirst: '04/12/1990 is the 4th of December',
			monthFirst: '04/12/1990 is the 12th of April',
			refuse: 'Such dates are invalid',
		},
		'refuse',
		{
			displayName: 'Dates Like 04/12',
			description: 'How to read dates whose day and month could be swapped',
		},
	),
);

export const outputMode = setting(
	'options.output',
	...choice(
		{
			rows: ['One Item per Row', 'The result of each row'],
			summary: 'The counts of each request, with up to 500 rows',
		},
		'rows',
		{ description: 'What to output' },
	),
);

export const importFields = [
	columns,
	options(ambiguousDates, emptyCells, duplicates, invalidValues, outputMode, repeatedNumbers, separator),
] as const;

export type ImportSetting = Extract<Flat<(typeof importFields)[number]>, { parse: unknown }>;
