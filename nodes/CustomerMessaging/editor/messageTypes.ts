import type { INodeListSearchResult } from 'n8n-workflow';

import type { EditorContext } from '../api/client';

import { stringOf } from '../values/text';
import { readList } from './lists';

/** The types whose members the interface documents. Tenants may have more. */
const MESSAGE_TYPES = ['audio', 'contact', 'document', 'image', 'location', 'text', 'video'];

/** Returns the message types for a *From List*: of the channels, or else those of the interface. */
export async function searchMessageTypes(this: EditorContext, filter = ''): Promise<INodeListSearchResult> {
	const { records } = await readList(this, 'GET /support/channels').catch(() => ({ records: [] }));
	const found = records.flatMap(({ message_type: accepted }) => (Array.isArray(accepted) ? accepted : []));
	const types = found.length > 0 ? [...new Set(found.map(stringOf))].sort() : MESSAGE_TYPES;
	const typed = filter.trim().toLowerCase();
	return {
		results: types
			.filter((type) => type.toLowerCase().includes(typed))
			.map((type) => ({ name: type, value: type })),
	};
}
