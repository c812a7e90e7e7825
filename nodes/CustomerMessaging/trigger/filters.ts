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

/**
 * Whether a message passes all filters of the node. A filter accepts several values as a comma-separated list or an
 * array. A filter without a value accepts all messages.
 */
export function passes(filters: IDataObject, message: IDataObject): boolean {
	if (filters.onlyFailed === true && (message.latest_error === undefined || message.latest_error === null)) {
		return false;
	}
	return Object.entries(MEMBERS).every(([name, member]) => {
		const wanted = listed(filters[name])
			.map((value) => String(value).trim().toLowerCase())
			.filter((value) => value !== '');
		return wanted.length === 0 || wanted.includes(String(message[member] ?? '').toLowerCase());
	});
}
