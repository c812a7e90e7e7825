import { emptyCells as emptyFields } from '../runner/emptyCells';
import { setting } from '../runner/field';
import { separator as ofTitles } from '../tags/tagSet';
import { oneOf } from '../values/choices';
import { objectOrEmpty } from '../values/json';

export const duplicates = setting(
	'duplicates',
	oneOf('override', 'skip'),
	{
		displayName: 'Existing Customers',
		type: 'options',
		options: [
			{ name: 'Override', value: 'override', description: 'Existing customers get the new values' },
			{ name: 'Skip', value: 'skip', description: 'Existing customers stay as they are' },
		],
		default: 'override',
		description: 'What to do with phone numbers that the service knows already',
	},
	'duplicates',
);

export const columns = setting('columns', objectOrEmpty, {
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
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

export const invalidValues = setting('invalidValues', oneOf('fail', 'skipRow', 'skipValue'), {
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Nothing is sent when any value is invalid' },
		{ name: 'Skip Row', value: 'skipRow', description: 'The row is left out and reported' },
		{
			name: 'Skip Value',
			value: 'skipValue',
			description: 'The value is left out and reported; a row without phone number or name is left out',
		},
	],
	default: 'skipValue',
	description: 'What to do with phone numbers, dates and email addresses that are none',
});

export const repeatedNumbers = setting('repeatedNumbers', oneOf('fail', 'first', 'last'), {
	displayName: 'Repeated Phone Numbers',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Nothing is sent when two rows have the same number' },
		{
			name: 'Keep First',
			value: 'first',
			description: 'Later rows of the same number are left out and reported',
		},
		{
			name: 'Keep Last',
			value: 'last',
			description: 'Earlier rows of the same number are left out and reported',
		},
	],
	default: 'last',
	description: 'What to do when several rows have the same phone number',
});

export const emptyCells = setting('emptyCells', emptyFields.convert, {
	...emptyFields.parameter,
	description: 'What to do with cells that hold nothing: no text, only spaces, NULL',
});

export const ambiguousDates = setting('ambiguousDates', oneOf('refuse', 'dayFirst', 'monthFirst'), {
	displayName: 'Dates Like 04/12',
	type: 'options',
	options: [
		{ name: 'Day First', value: 'dayFirst', description: '04/12/1990 is the 4th of December' },
		{ name: 'Month First', value: 'monthFirst', description: '04/12/1990 is the 12th of April' },
		{ name: 'Refuse', value: 'refuse', description: 'They are invalid values' },
	],
	default: 'refuse',
	description: 'What to do with dates that can be read in two ways',
});

export const separator = setting('separator', ofTitles.convert, ofTitles.parameter);

export const outputMode = setting('output', oneOf('rows', 'summary'), {
	type: 'options',
	options: [
		{ name: 'One Item per Row', value: 'rows', description: 'What became of each row' },
		{
			name: 'Summary',
			value: 'summary',
			description: 'The counts of all requests, of up to 500 rows each',
		},
	],
	default: 'rows',
	description: 'What to give out',
});

/** The fields of an import, in the order of the editor. */
export const importFields = [
	duplicates,
	columns,
	invalidValues,
	repeatedNumbers,
	emptyCells,
	ambiguousDates,
	separator,
	outputMode,
] as const;
