import type { IDataObject } from 'n8n-workflow';

import { switchOf } from '../values/choices';
import { listed } from '../values/ids';
import { ownMember } from '../values/json';
import { isFailedMessage, messageSummary } from '../values/messageSummary';
import { shown, stringOf } from '../values/text';

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
		of: (message) => [message.ca_template_id, messageSummary(message).template],
	},
];

const comparable = (value: unknown) => stringOf(value).trim().toLowerCase();

/**
 * Prepares the filters of a node for all messages of a delivery. A filter accepts several values as a comma-separated list
 * or an array. One without a value accepts all messages.
 *
 * @throws Error when *Only Failed* is neither on nor off
 */
export function messageFilters(filters: IDataObject) {
	const wanted = FILTERS.map(({ given, ...filter }) => {
		const values = given(filters).map(comparable);
		return { ...filter, values: new Set(values.filter((value) => value !== '')) };
	}).filter(({ values }) => values.size > 0);
	const wantsFailed = switchOf('Only Failed', filters.onlyFailed, false);
	const lacksError = (message: IDataObject) => wantsFailed && !isFailedMessage(message);
	const failing = (message: IDataObject) =>
		wanted.filter(({ of, values }) => !of(message).some((value) => values.has(comparable(value))));
	return {
		passes: (message: IDataObject) => !lacksError(message) && failing(message).length === 0,
		problemOf: (message: IDataObject) => {
			const others = failing(message).map(({ label, of }) => {
				const values = of(message).map((value) => shown(value ?? null));
				return `${label} is ${values.join(' or ')}`;
			});
			const all = lacksError(message) ? ['there is no error (Only Failed)', ...others] : others;
			return `In the first message, ${all.join(', ')}.`;
		},
	};
}
