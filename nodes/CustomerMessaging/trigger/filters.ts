import type { IDataObject } from 'n8n-workflow';

import { listed } from '../values/ids';

/** Filters by their name in the node, and the member of the message that each looks at. */
const MEMBERS: Record<string, string> = {
	conversation: 'conversation_id',
	from: 'from',
	source: 'source',
	status: 'status',
	template: 'ca_template_id',
};

/**
 * Whether a message passes the filters of the node. A filter with several values, as a comma list or an array, lets any of
 * them pass; one without a value lets all pass.
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
