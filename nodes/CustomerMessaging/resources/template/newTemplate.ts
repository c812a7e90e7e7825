import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isNumbered, problemOfNames } from '../../messaging/template/slots';
import { PLACE } from '../../messaging/template/templateRecord';
import { bodyColumns, bodyVariableValues, typeColumn } from '../../messaging/template/variableFields';
import type { ItemContext, OpenField } from '../../runner/field';
import { converted, fieldError } from '../../runner/fieldError';
import {
	column,
	filled,
	manyRows,
	rowsByType,
	rowsWith,
	type TypedRow,
	whenConverted,
} from '../../values/columns';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { parameterFor } from '../../values/parameter';
import { phoneDigits } from '../../values/phoneNumber';
import { optionalText, stringOf, text } from '../../values/text';

// The parts of a new template. The interface does not show its members, so they are sent as `components` in the
// chat-app provider's format, as the records of templates have them.

/** Converts a text of a new template. *Send Template* could not fill in the variables that are refused here. */
const fillableText: Conversion<string> = (value) =>
	whenConverted(optionalText(value), (words) => {
		const problem = problemOfNames([...new Set(Array.from(words.matchAll(PLACE), ([, name]) => name))]);
		const remedy = 'Number the variables of a text from {{1}} on, without a gap, or name all of them.';
		return problem
			? new ValueProblem(`has variables that do not fit: they ${problem.problem}`, remedy)
			: words;
	});

const shownForTypes = (...types: string[]) => ({ displayOptions: { show: { type: types } } });

const headerType = typeColumn(
	['DOCUMENT', 'IMAGE', 'LOCATION', 'TEXT', 'VIDEO'],
	'TEXT',
	'What the header shows',
);

const headerColumns = [
	column(filled(fillableText), {
		name: 'text',
		placeholder: 'e.g. Hello {{1}}',
		description: 'The text of the header, with at most one variable',
		...shownForTypes('TEXT'),
	}),
	column(optionalText, {
		name: 'sample',
		placeholder: 'e.g. Jo',
		description:
			'What the variable may stand for; for a file, the handle of a sample at the chat app provider',
		...shownForTypes('DOCUMENT', 'IMAGE', 'TEXT', 'VIDEO'),
	}),
];

const buttonType = typeColumn(
	['COPY_CODE', 'PHONE_NUMBER', 'QUICK_REPLY', 'URL'],
	'QUICK_REPLY',
	'What the button does',
);

const buttonColumns = [
	column(filled(text), {
		name: 'text',
		placeholder: 'e.g. Track parcel',
		description: 'What the button says',
		...shownForTypes('PHONE_NUMBER', 'QUICK_REPLY', 'URL'),
	}),
	column(filled(fillableText), {
		name: 'url',
		placeholder: 'e.g. https://example.com/track/{{1}}',
		description: 'The address that the button opens; it can end with a variable',
		...shownForTypes('URL'),
	}),
	column(filled(phoneDigits), {
		name: 'phoneNumber',
		placeholder: 'e.g. +49 171 1234567',
		description: 'The number that the button calls, with country code',
		...shownForTypes('PHONE_NUMBER'),
	}),
	column(optionalText, {
		name: 'sample',
		placeholder: 'e.g. https://example.com/track/A-1001',
		description: 'The code to copy, or the address with a value for its variable',
		...shownForTypes('COPY_CODE', 'URL'),
	}),
];

function textExample(part: 'body' | 'header', given: Array<[name: string, sample: string]>): IDataObject {
	if (!isNumbered(given[0][0]))
		return { [`${part}_text_named_params`]: given.map(([param_name, example]) => ({ param_name, example })) };
	const values = given.map(([, sample]) => sample);
	return { [`${part}_text`]: part === 'body' ? [values] : values };
}

/** Makes the header of a new template; undefined if it has none. */
const headerComponent: Conversion<IDataObject | undefined> = (value) =>
	whenConverted(rowsByType('header', headerType, headerColumns)(value), ([row]) => {
		if (!row) return undefined;
		const { type, text: words = '', sample = '' } = row;
		const [[, name = '1'] = []] = words.matchAll(PLACE);
		const example = type === 'TEXT' ? textExample('header', [[name, sample]]) : { header_handle: [sample] };
		return {
			type: 'HEADER',
			format: type,
			...(words !== '' && { text: words }),
			...(sample !== '' && { example }),
		};
	});

const buttonOf = ({ type, text: words, url, phoneNumber, sample }: TypedRow): IDataObject => ({
	type,
	...(words !== undefined && { text: words }),
	...(url !== undefined && { url }),
	...(phoneNumber !== undefined && { phone_number: phoneNumber }),
	...(sample && { example: type === 'URL' ? [sample] : sample }),
});

const buttonsComponent: Conversion<IDataObject | undefined> = (value) =>
	whenConverted(rowsByType('button', buttonType, buttonColumns)(value), (rows) =>
		rows.length > 0 ? { type: 'BUTTONS', buttons: rows.map(buttonOf) } : undefined,
	);

const samples: Conversion<Array<[name: string, sample: string]>> = (value) =>
	whenConverted(bodyVariableValues(value), (values) =>
		values
			.map(({ slot, value: sample }): [string, string] => [slot.index, sample])
			.sort(([a], [b]) => (Number(a) || 0) - (Number(b) || 0)),
	);

const headerParameter = parameterFor('templateHeader', {
	displayName: 'Header',
	type: 'fixedCollection',
	placeholder: 'Add Header',
	description: 'What stands above the text',
	options: rowsWith('Header', 'header', [headerType, ...headerColumns]),
});

const bodyParameter = parameterFor('templateBody', {
	displayName: 'Body',
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Dear {{1}}, your order {{2}} is on its way.',
	description: 'The text of the template, with {{1}} or {{first_name}} where a value goes',
});

const samplesParameter = parameterFor('bodySamples', {
	...manyRows('Sample', 'variable', bodyColumns, true),
	description: 'What the variables in the body may stand for, for those who approve the template',
});

const footerParameter = parameterFor('templateFooter', {
	displayName: 'Footer',
	placeholder: 'e.g. Reply STOP to hear no more from us',
	description: 'What stands below the text',
});

const buttonsParameter = parameterFor('templateButtons', {
	displayName: 'Buttons',
	...manyRows('Button', 'button', [buttonType, ...buttonColumns], true),
	description: 'The buttons below the text',
});

/** Returns the components of a new template with the names of their parameters. */
function componentsIn(context: ItemContext): Array<[name: string, component: IDataObject]> {
	const read = <Value>({ displayName, name, default: usual }: INodeProperties, convert: Conversion<Value>) =>
		converted(context, displayName, convert, context.getNodeParameter(name, usual as object));
	const body = read(bodyParameter, fillableText);
	const given = read(samplesParameter, samples);
	if (given.length > 0 && body === '') {
		const remedy = 'Enter the text of the template as Body, or remove the samples.';
		throw fieldError(context, samplesParameter.displayName, new ValueProblem('have no body', remedy));
	}
	const footer = read(footerParameter, fillableText);
	const example = given.length > 0 && { example: textExample('body', given) };
	const parts: Array<[INodeProperties, IDataObject | undefined]> = [
		[headerParameter, read(headerParameter, headerComponent)],
		[bodyParameter, body === '' ? undefined : { type: 'BODY', text: body, ...example }],
		[footerParameter, footer === '' ? undefined : { type: 'FOOTER', text: footer }],
		[buttonsParameter, read(buttonsParameter, buttonsComponent)],
	];
	return parts.flatMap(([{ displayName }, component]) => (component ? [[displayName, component]] : []));
}

/** The parts of a new template: header, body, footer and buttons. */
export const newTemplateParts: OpenField = {
	kind: 'open',
	hasTenantTypes: true,
	members: ['components'],
	parameters: [headerParameter, bodyParameter, samplesParameter, footerParameter, buttonsParameter],
	membersOf(context, body) {
		const components = componentsIn(context).map(([, component]) => component);
		if (components.length === 0) return body;
		const names = components.flatMap(({ text: words }) => [...stringOf(words).matchAll(PLACE)]);
		// The chat app takes variables for numbered ones unless it is told otherwise.
		const isNamed = names.some(([, name]) => !isNumbered(name));
		return { ...body, components, ...(isNamed && { parameter_format: 'named' }) };
	},
	namesOf: (context) =>
		Object.fromEntries(componentsIn(context).map(([name], index) => [`components.${index}`, name])),
};
