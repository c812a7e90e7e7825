import type { IDataObject } from 'n8n-workflow';

import type { ResponseRecord } from '../contract/endpoints';
import { isTool } from './displayedFields';
import { type ItemContext, setting } from './field';
import type { Item, Output } from './item';
import { boolean, choice } from '../values/choices';
import type { Parse } from '../values/parse';
import { splitList } from '../values/ids';
import { quote, text } from '../values/text';

/** Shows a parameter only where an AI agent uses the node as a tool, or only elsewhere. */
const forTools = { show: { '@tool': [true] } };
const notForTools = { hide: { '@tool': [true] } };

const simple = setting('simple', boolean, {
	displayName: 'Simplify',
	type: 'boolean',
	displayOptions: notForTools,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const toolOutput = setting(
	'output',
	...choice(
		{
			raw: 'All fields',
			selectedFields: 'Only the fields that you name',
			simplified: 'The fields that are needed most',
		},
		'simplified',
		{ displayOptions: forTools },
	),
);

const fieldNames: Parse<string[]> = (value) => [
	...new Set(splitList(text(Array.isArray(value) ? value.join(',') : value))),
];

const toolFields = setting('outputFields', fieldNames, {
	displayName: 'Fields',
	displayOptions: { show: { ...forTools.show, output: ['selectedFields'] } },
	required: true,
	placeholder: 'e.g. name, phone_number',
	description: 'Separated by commas',
});

export const simplify = [simple, toolOutput, toolFields] as const;

/** Tells in the hints which names of *Fields* no record has. The next page of a list may have one that the first lacks. */
function noteUnknown(context: ItemContext, names: readonly string[], records: IDataObject[]) {
	const { notes } = context.api;
	const found = context.api.once(toolFields, () => new Set<string>());
	for (const name of names) {
		const what = `have no field "${quote(name)}" (${toolFields.parameter.displayName})`;
		if (records.some((record) => Object.hasOwn(record, name))) found.add(name);
		if (found.has(name)) notes.delete(what);
		else notes.set(what, Math.max(notes.get(what) ?? 0, context.getItemIndex() + 1));
	}
}

/** Returns a record with what its items have beside its own members, and without what they must not have. */
type Complete = (json: IDataObject, item: Item<never, object>) => IDataObject;

/**
 * Makes an output whose items keep only some fields, unless the user wants the raw data. A record with none of the fields
 * stays complete, because the interface documents records only in part. It is empty if the user has named the fields.
 */
export function simplified(
	{ itemsOf }: Output,
	fields: readonly string[],
	complete: Complete = (json) => json,
): Output<(typeof simplify)[number]> {
	return {
		keeps: fields,
		itemsOf: (content, item, request) => {
			const items = itemsOf(content, item as Item, request);
			const { context } = item;
			const mode = isTool(context.getNode()) ? item.get(toolOutput) : 'simplified';
			if (mode === 'raw' || (mode === 'simplified' && !item.get(simple))) return items;
			const isChosen = mode === 'selectedFields';
			const names = isChosen ? item.get(toolFields) : fields;
			const records: IDataObject[] = [];
			for (const one of items) {
				const record = complete(one.json, item as Item);
				const json: IDataObject = {};
				for (const name of names) if (Object.hasOwn(record, name)) json[name] = record[name];
				records.push(record);
				one.json = isChosen || Object.keys(json).length > 0 ? json : record;
			}
			if (isChosen && items.length > 0) noteUnknown(context, names, records);
			return items;
		},
	};
}

/** The profile fields that most workflows need. The interface does not document `customer_id`. */
const PROFILE_FIELDS = [
	'id',
	'customer_id',
	'name',
	'phone_number',
	'email',
	'date_of_birth',
	'address',
	'marketing_opt_in',
] as const satisfies ReadonlyArray<keyof ResponseRecord<'GET /profiles/{id}'> | 'customer_id'>;

/** Makes the output of an operation that reads profiles. Their consent is true, false, or null if nobody has decided. */
export const simplifiedProfiles = (output: Output) =>
	simplified(output, PROFILE_FIELDS, (json) => {
		const { marketing_opt_in: optIn } = json;
		// "1 means consent given" (Profile of the interface).
		return optIn === 0 || optIn === 1 ? { ...json, marketing_opt_in: optIn === 1 } : json;
	});
