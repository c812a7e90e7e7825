import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';

import { MESSAGE_TYPES } from '../messaging/messageTypes';
import { fieldsOfRequest } from './describedRequests';
import { readList } from './readList';

/** Returns the message types that the tenant's description names. */
async function describedTypes(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const found = await fieldsOfRequest(context, 'POST /conversations/{conversationId}/messages');
	if ('problem' in found) return [];
	const options = found.fields.find(({ id }) => id === 'type')?.options ?? [];
	return options as INodePropertyOptions[];
}

const named = (type: unknown) => ({ name: String(type), value: String(type) });

/** Returns the message types that the tenant's channels accept. */
async function typesOfChannels(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	try {
		const channels = await readList(context, 'GET /support/channels');
		return channels.flatMap(({ message_type: types }) => (Array.isArray(types) ? types.map(named) : []));
	} catch {
		return [];
	}
}

/**
 * Returns the message types for a *From List*, from the tenant's description and from its channels.
 *
 * If the tenant names none or does not respond, it returns the types of the interface.
 */
export async function searchMessageTypes(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const found = (await Promise.all([typesOfChannels(this), describedTypes(this)])).flat();
	const types = found.length > 0 ? found : MESSAGE_TYPES.map(named);
	const typed = filter.trim().toLowerCase();
	// If a type occurs twice, the name in the description wins.
	const results = [...new Map(types.map((type) => [type.value, type])).values()]
		.filter(({ name }) => name.toLowerCase().includes(typed))
		.sort((a, b) => a.name.localeCompare(b.name));
	return { results };
}
