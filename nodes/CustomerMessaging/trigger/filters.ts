import type { IDataObject } from 'n8n-workflow';

import { listed } from '../values/ids';

/** The filters by their name in the node, each with the message member that it compares. */
const MEMBERS: Record<string, string> = {
	conversation: 'conversation_id',
	from: 'from',
	source: 'source',
	status: 'status',
	template: 'ca_template_id',
};

type Wanted = Array<[member: string, values: Set<string>]>;

/** The prepared filters. All events of a delivery have the same. */
const prepared = new WeakMap<IDataObject, Wanted>();

function wantedOf(filters: IDataObject): Wanted {
	let wanted = prepared.get(filters);
	if (!wanted) {
		wanted = Object.entries(MEMBERS).flatMap(([name, member]): Wanted => {
			const values = listed(filters[name])
				.map((value) => String(value).trim().toLowerCase())
				.filter((value) => value !== '');
			return values.length === 0 ? [] : [[member, new Set(values)]];
		});
		prepared.set(filters, wanted);
	}
	return wanted;
}

/**
 * Whether a message passes all filters of the node. A filter accepts several values as a comma-separated list or an
 * array. A filter without a value accepts all messages.
 */
export function passes(filters: IDataObject, message: IDataObject): boolean {
	if (filters.onlyFailed === true && (message.latest_error === undefined || message.latest_error === null)) {
		return false;
	}
	return wantedOf(filters).every(([member, values]) =>
		values.has(String(message[member] ?? '').toLowerCase()),
	);
}
