import type { EditorContext } from '../api/context';
import type { INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';

import { cut, stringOf } from '../values/text';
import { MAX_LABEL, readList } from './lists';
import { fieldsOfRequest } from './resourceMapping';

async function describedTypes(context: EditorContext) {
	const found = await fieldsOfRequest(context, 'POST /conversations/{conversationId}/messages');
	const field = 'problem' in found ? undefined : found.fields.find(({ id }) => id === 'type');
	return (field?.options ?? []) as INodePropertyOptions[];
}

/** The types whose members the interface documents. Tenants may have more. */
const MESSAGE_TYPES = ['audio', 'contact', 'document', 'image', 'location', 'text', 'video'];

const MAX_TYPES = 1000;

const named = (type: unknown) => ({ name: cut(stringOf(type), MAX_LABEL), value: stringOf(type) });

async function typesOfChannels(context: EditorContext): Promise<INodePropertyOptions[]> {
	const { records } = await readList(context, 'GET /support/channels').catch(() => ({ records: [] }));
	const types = new Set<unknown>();
	for (const { message_type: accepted } of records) {
		if (!Array.isArray(accepted)) continue;
		for (const type of accepted.slice(0, MAX_TYPES)) types.add(type);
		if (types.size > MAX_TYPES) break;
	}
	return [...types].map(named);
}

/** Returns the message types for a *From List*: of the description and the channels, or else those of the interface. */
export async function searchMessageTypes(this: EditorContext, filter = ''): Promise<INodeListSearchResult> {
	const found = (await Promise.all([typesOfChannels(this), describedTypes(this)])).flat();
	const types = found.length > 0 ? found : MESSAGE_TYPES.map(named);
	const typed = filter.trim().toLowerCase();
	// If a type occurs twice, the name in the description wins.
	const results = [...new Map(types.map((type) => [type.value, type])).values()]
		.filter(({ name }) => name.toLowerCase().includes(typed))
		.sort((a, b) => a.name.localeCompare(b.name));
	if (found.length > MAX_TYPES)
		results.push({ name: 'Only some of the types are listed: enter others by name', value: '' });
	return { results };
}
