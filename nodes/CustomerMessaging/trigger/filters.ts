import type { IDataObject } from 'n8n-workflow';

import { switchOf } from '../values/choices';
import { listed } from '../values/ids';
import { ownMember } from '../values/json';
import { isFailedMessage, messageSummary } from '../values/messageSummary';
import { quote, stringOf } from '../values/text';

/** A filter: the values that the person gives, and those that a message has. */
interface Filter {
	label: string;
	given: unknown[];
	of: (message: IDataObject) => unknown[];
}

const comparable = (value: unknown) => stringOf(value).trim().toLowerCase();

/**
 * Reads the filters of a node. A filter accepts several values, as a list in text or an array. One without a value accepts all
 * messages.
 *
 * @returns a function that says what a message does not pass; nothing if it passes
 * @throws Error when *Only Failed* is neither on nor off
 */
export function readFilters(filters: IDataObject): (message: IDataObject) => string[] {
	const { conversation, from, source, status, template, templates, onlyFailed } = filters;
	const chosen = ownMember(ownMember(templates, 'chosen'), 'templateIds');
	const table: Filter[] = [
		{ label: 'Conversation', given: [conversation], of: (message) => [message.conversation_id] },
		{ label: 'From', given: [from], of: (message) => [message.from] },
		{ label: 'Source', given: [source], of: (message) => [message.source] },
		{ label: 'Status', given: [status], of: (message) => [message.status] },
		{
			label: 'Template',
			given: [template, chosen],
			of: (message) => [message.ca_template_id, messageSummary(message).template],
		},
	];
	const wanted: Array<Pick<Filter, 'label' | 'of'> & { values: Set<string> }> = [];
	for (const { label, given, of } of table) {
		const values = new Set(given.flatMap(listed).map(comparable));
		values.delete('');
		if (values.size > 0) wanted.push({ label, of, values });
	}
	const wantsFailed = switchOf('Only Failed', onlyFailed, false);
	return (message) => [
		...(wantsFailed && !isFailedMessage(message) ? ['there is no error (Only Failed)'] : []),
		...wanted.flatMap(({ label, of, values }) => {
			const found = of(message);
			if (found.some((value) => values.has(comparable(value)))) return [];
			return `${label} is ${found.map((value) => quote(value ?? null)).join(' or ')}`;
		}),
	];
}
