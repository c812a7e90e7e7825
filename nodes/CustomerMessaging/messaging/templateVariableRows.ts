import { oneOf } from '../values/choices';
import { column, filled, repeatedOf, type Row, rowBy, rowsBy, whenConverted } from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { latitudeDegrees, longitudeDegrees } from '../values/numbers';
import { isObject } from '../values/json';
import { optionalText, shown, text } from '../values/text';
import type { VariableValues } from './templateComponents';
import { isNumbered, problemOfNames, variableName } from './variableNames';

// The columns of the components that the user builds by hand, and their conversion to the values of variables.

const file = column(filled(text), {
	displayName: 'File',
	name: 'file',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/parcel.jpg',
	description: 'A URL, the UUID of an uploaded file, or the name of a binary field',
});

const filename = column(optionalText, {
	displayName: 'File Name',
	name: 'filename',
	type: 'string',
	default: '',
	placeholder: 'e.g. invoice.pdf',
	description: 'The name under which the document is shown',
});

const latitude = column(filled(latitudeDegrees), {
	displayName: 'Latitude',
	name: 'latitude',
	type: 'string',
	default: '',
	placeholder: 'e.g. 52.5200',
	description: 'The latitude in degrees',
});

const longitude = column(filled(longitudeDegrees), {
	displayName: 'Longitude',
	name: 'longitude',
	type: 'string',
	default: '',
	placeholder: 'e.g. 13.4050',
	description: 'The longitude in degrees',
});

const placeAddress = column(optionalText, {
	displayName: 'Place Address',
	name: 'placeAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1 Example Street, Berlin',
	description: 'The address of the place',
});

const placeName = column(optionalText, {
	displayName: 'Place Name',
	name: 'placeName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Shop',
	description: 'The name of the place',
});

const variableText = column(filled(text), {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	default: '',
	placeholder: 'e.g. Jo',
	description: 'The text for the variable',
});

const headerType = column(oneOf('document', 'image', 'location', 'text', 'video'), {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'Document', value: 'document' },
		{ name: 'Image', value: 'image' },
		{ name: 'Location', value: 'location' },
		{ name: 'Text', value: 'text' },
		{ name: 'Video', value: 'video' },
	],
	default: 'text',
	description: 'What kind of header the template has',
});

const NAME_DESCRIPTION = 'What stands between the braces: 1 for {{1}}, first_name for {{first_name}}';

const headerVariableName = column(filled(variableName), {
	displayName: 'Variable Name',
	name: 'name',
	type: 'string',
	default: '1',
	placeholder: 'e.g. first_name',
	description: NAME_DESCRIPTION,
});

const bodyVariableName = column(filled(variableName), {
	displayName: 'Variable Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1',
	description: NAME_DESCRIPTION,
});

export const MOST_BUTTONS = 10;

/** Converts the position of a button, from 1. */
export const buttonPosition: Conversion<number> = (value) => {
	const typed = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	return typeof typed === 'number' && Number.isInteger(typed) && typed >= 1 && typed <= MOST_BUTTONS
		? typed
		: new ValueProblem(
				`"${shown(value)}" is not a whole number from 1 to ${MOST_BUTTONS}`,
				'Count the button over all buttons of the template, from 1.',
			);
};

const position = column(filled(buttonPosition), {
	displayName: 'Position',
	name: 'position',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_BUTTONS },
	default: 1,
	description: 'Which button it is, counted from 1 over all buttons of the template',
});

const buttonType = column(oneOf('copy_code', 'flow', 'quick_reply', 'url'), {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'Copy Code', value: 'copy_code' },
		{ name: 'Flow', value: 'flow' },
		{ name: 'Quick Reply', value: 'quick_reply' },
		{ name: 'URL', value: 'url' },
	],
	default: 'url',
	description: 'What kind of button it is',
});

const buttonValue = column(filled(text), {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. A-1001',
	description: 'The end of the URL, the payload of the reply, the code to copy, or the token of the flow',
});

/** The columns of the header in the order of the editor. */
export const headerColumns = [
	file,
	filename,
	latitude,
	longitude,
	placeAddress,
	placeName,
	variableText,
	headerType,
	headerVariableName,
];

/** The columns of a variable in the body. */
export const bodyColumns = [bodyVariableName, variableText] as const;

/** The columns of a button. */
export const buttonColumns = [position, buttonType, buttonValue] as const;

/** Converts the header. It reads only the columns that its type has. */
export const headerValues: Conversion<VariableValues> = (value) => {
	const row = isObject(value) ? value.header : value;
	if (row === undefined && isObject(value)) return {};
	if (!isObject(row)) return new ValueProblem('is not a row', 'Add the header in the editor.');
	return whenConverted(rowBy([headerType], row), ({ type }) => {
		switch (type) {
			case 'location':
				return whenConverted(rowBy([latitude, longitude, placeName, placeAddress], row), (place) => ({
					header_location_latitude: place.latitude,
					header_location_longitude: place.longitude,
					header_location_name: place.placeName,
					header_location_address: place.placeAddress,
				}));
			case 'text':
				return whenConverted(rowBy([headerVariableName, variableText], row), (variable) =>
					isNumbered(variable.name) && variable.name !== '1'
						? new ValueProblem(
								`(Variable Name) is "${shown(variable.name)}", but a header has only one variable`,
								'Enter 1, or the name of the variable.',
							)
						: { [`header_text_${variable.name}`]: variable.text },
				);
			case 'document':
				return whenConverted(rowBy([file, filename], row), (given) => ({
					header_document: given.file,
					header_document_filename: given.filename,
				}));
			default:
				return whenConverted(rowBy([file], row), (given) => ({ [`header_${type}`]: given.file }));
		}
	});
};

const bodyRows = rowsBy('variable', bodyColumns);

/** Converts the variables of the body. */
export const bodyVariableValues: Conversion<VariableValues> = (value) =>
	whenConverted(
		bodyRows(value),
		(rows) =>
			problemOfNames(rows.map(({ name }) => name)) ??
			Object.fromEntries(rows.map((row) => [`body_${row.name}`, row.text])),
	);

const buttonRows = rowsBy('button', buttonColumns);

/** Converts the buttons. */
export const buttonValues: Conversion<VariableValues> = (value) =>
	whenConverted(buttonRows(value), (rows) => {
		const repeated = repeatedOf(rows.map((row) => row.position));
		if (repeated !== undefined) {
			return new ValueProblem(
				`have two values for the button at position ${repeated}`,
				'Count the buttons over all buttons of the template, and fill in each once.',
			);
		}
		return Object.fromEntries(
			rows.map((row: Row<typeof buttonColumns>) => [`button_${row.position - 1}_${row.type}`, row.value]),
		);
	});
