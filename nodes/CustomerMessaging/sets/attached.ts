import { NodeOperationError } from 'n8n-workflow';

import type { Api } from '../api/client';
import type { ServiceRequest } from '../api/exchange';
import { unreadableList } from '../api/pages';
import { wholeList } from '../api/records';
import { type RecordId, wholeId } from '../values/ids';
import { isObject } from '../values/json';
import { quote } from '../values/text';

/** Makes the error about an ID that cannot go back to the service, because another record could be meant. */
export const unusableId = (api: Api, given: unknown) =>
	new NodeOperationError(api.context.getNode(), `The service gave "${quote(given)}" as an ID`, {
		description:
			'It is not a whole number up to 9007199254740991. Nothing was changed, because another record could be meant. Tell the operator of the service.',
	});

/** Reads the IDs of a set, before a changed one is written back. Throws where one is missing, or no whole number. */
export async function attachedIds(api: Api, url: string): Promise<RecordId[]> {
	return (await wholeList(api, url)).map((record) => {
		if (!isObject(record) || record.id === undefined) throw unreadableList();
		const id = wholeId(record.id);
		if (id === undefined) throw unusableId(api, record.id);
		return id;
	});
}

/** Returns the path of the set that a request changes. */
export const setUrlOf = ({ method, url }: ServiceRequest): string =>
	method === 'DELETE' ? url.slice(0, url.lastIndexOf('/')) : url;

/**
 * Sends a request that changes a set and returns the set. If the response does not show it, it reads the set. If that fails,
 * it returns the content of the response, because the change is done.
 */
export async function writeSet(api: Api, options: ServiceRequest): Promise<unknown> {
	const { content } = await api.send(options);
	if (Array.isArray(content)) return content;
	return (await wholeList(api, setUrlOf(options)).catch(() => undefined)) ?? content;
}
