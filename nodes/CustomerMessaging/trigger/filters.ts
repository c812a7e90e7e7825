import type { IDataObject } from 'n8n-workflow';

import { listed } from '../values/ids';
import { ownMember } from '../values/json';
import { isFailedMessage, messageSummary } from '../values/messageSummary';
import { shown } from '../values/text';

/** Returns the template of a message, by ID and by name. */
const templateOf = (message: IDataObject) => [message.ca_template_id, messageSummary(message).template];

/** A filter: its name in the editor, the values that the person gives, and those that a message has. */
interface Filter {
	label: string;
	given: (filters: IDataObject) => unknown[];
	of: (message: IDataObject) => unknown[];
}

const byMember = (label: string, name: string, member = name): Filter => ({
	label,
	given: (filters) => listed(filters[name]),
	of: (message) => [message[member]],
});

const FILTERS: Filter[] = [
	byMember('Conversation', 'conversation', 'conversation_id'),
	byMember('From', 'from'),
	byMember('Source', 'source'),
	byMember('Status', 'status'),
	{
		label: 'Template',
		given: ({ template, templates }) => [
			...listed(template),
			...listed(ownMember(ownMember(templates, 'chosen'), 'templateIds')),
		],
		of: templateOf,
	},
];

const comparable = (value: unknown) =>
	String(value ?? '')
		.trim()
		.toLowerCase();

type Wanted = Array<[filter: Filter, values: Set<string>]>;

/** The prepared filters. All events of a delivery have the same. */
const prepared = new WeakMap<IDataObject, Wanted>();

function wantedOf(filters: IDataObject): Wanted {
	let wanted = prepared.get(filters);
	if (!wanted) {
		wanted = FILTERS.flatMap((filter): Wanted => {
			const values = filter
				.given(filters)
				.map(comparable)
				.filter((value) => value !== '');
			return values.length === 0 ? [] : [[filter, new Set(values)]];
		});
		prepared.set(filters, wanted);
	}
	return wanted;
}

const meets = (message: IDataObject, [filter, values]: Wanted[number]) =>
	filter.of(message).some((value) => values.has(comparable(value)));

/**
 * Whether a message passes all filters of the node. A filter accepts several values as a comma-separated list or an
 * array. A filter without a value accepts all messages.
 */
export function passes(filters: IDataObject, message: IDataObject): boolean {
	if (filters.onlyFailed === true && !isFailedMessage(message)) return false;
	return wantedOf(filters).every((wanted) => meets(message, wanted));
}

/** Says which filters a message does not pass, and the values that it has. */
export function unmet(filters: IDataObject, message: IDataObject): string {
	const others = wantedOf(filters).filter((wanted) => !meets(message, wanted));
	const told = others.map(
		([{ label, of }]) =>
			`${label} is ${of(message)
				.map((value) => shown(value ?? null))
				.join(' or ')}`,
	);
	return `In the first message, ${[...(filters.onlyFailed === true && !isFailedMessage(message) ? ['there is no error (Only Failed)'] : []), ...told].join(', ')}.`;
}
