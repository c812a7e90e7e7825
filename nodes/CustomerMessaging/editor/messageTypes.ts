import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';

import { MESSAGE_TYPES } from '../messaging/messageTypes';
import { fieldsOfRequest } from './describedRequests';
import { readList } from './readList';

/** The types of messages that the tenant's description names. */
async function describedTypes(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const found = await fieldsOfRequest(context, 'POST /conversations/{conversationId}/messages');
	if ('problem' in found) return [];
	const options = found.fields.find(({ id }) => id === 'type')?.options ?? [];
	return options as INodePropertyOptions[];
}

const named = (type: unknown) => ({ name: String(type), value: String(type) });

/** The types of messages that the tenant's channels take. */
async function typesOfChannels(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	try {
		const channels = await readList(context, 'GET /support/channels');
		return channels.flatMap(({ message_type: types }) => (Array.isArray(types) ? types.map(named) : []));
	} catch {
		return [];
	}
}

/**
 * The types of messages for a From List: those of the tenant's description and of its channels.
 *
 * Where the tenant names none, or does not answer, they are those of the interface.
 */
export async function searchMessageTypes(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const found = (await Promise.all([typesOfChannels(this), describedTypes(this)])).flat();
	const types = found.length > 0 ? found : MESSAGE_TYPES.map(named);
	const typed = filter.trim().toLowerCase();
	// Of a type that comes twice the description's name stays.
	const results = [...new Map(types.map((type) => [type.value, type])).values()]
		.filter(({ name }) => name.toLowerCase().includes(typed))
		.sort((a, b) => a.name.localeCompare(b.name));
	return { results };
}
