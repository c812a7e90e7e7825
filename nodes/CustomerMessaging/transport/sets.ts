import { NodeOperationError } from 'n8n-workflow';

import { type RecordId, recordId } from '../values/ids';
import { isObject } from '../values/json';
import { itemIndexOf, type RequestContext } from './context';
import { pagesOf, unreadableList } from './pages';
import { type Answer, request, type ServiceRequest } from './request';

/** Makes the error about an ID that has lost digits, because it came as a number. Another record could be meant. */
export const inexactId = (context: RequestContext) =>
	new NodeOperationError(context.getNode(), 'The service gave an ID with more digits than a number keeps', {
		description:
			'Nothing was changed, because another record could be meant. Tell the operator of the tenant to send such IDs as text.',
		itemIndex: itemIndexOf(context),
	});

/**
 * Reads all pages of a list that another request depends on. A record that is not read would be detached or created
 * again.
 *
 * @param url path of the list
 * @throws NodeApiError when a response is not a list
 * @throws NodeOperationError when the list cannot be read to its end, see `pagesOf`
 */
export async function wholeList(context: RequestContext, url: string): Promise<unknown[]> {
	const all: unknown[] = [];
	// A loop, because a page may have more records than a call takes arguments.
	for await (const { records } of pagesOf(context, { url })) for (const record of records) all.push(record);
	return all;
}

/**
 * Reads the IDs of the records that are attached to a record now, before a changed set is written back.
 *
 * @param url path of the set
 * @throws NodeApiError when the answer is not a list of records with IDs, which would be detached
 * @throws NodeOperationError when an ID has lost digits
 */
export async function attachedIds(context: RequestContext, url: string): Promise<RecordId[]> {
	return (await wholeList(context, url)).map((record) => {
		const given = isObject(record) ? record.id : undefined;
		const id = recordId(given);
		if (id === undefined) throw typeof given === 'number' ? inexactId(context) : unreadableList(context);
		return id;
	});
}

/** Whether a response has no content. */
export const isEmpty = ({ body }: Answer) => body === undefined || body === null || body === '';

/** The path of a set, from the path of a request that changes it. */
const setOf = ({ method, url }: ServiceRequest) =>
	method === 'DELETE' ? url.slice(0, url.lastIndexOf('/')) : url;

/**
 * Sends a request that changes a set and returns the set. If the response is empty, it reads the set. If that fails,
 * it returns the empty response, because the change is done.
 */
export async function writeSet(context: RequestContext, options: ServiceRequest): Promise<Answer> {
	const answer = await request(context, options);
	if (!isEmpty(answer)) return answer;
	const now = await wholeList(context, setOf(options)).catch(() => undefined);
	return now ? { ...answer, body: { data: now } } : answer;
}
