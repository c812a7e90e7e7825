import type { IDataObject, IHttpRequestMethods, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import { errorItem, nodeError } from '../transport/errors';
import { type Answer, request } from '../transport/request';
import { ValueProblem } from '../values/conversion';
import { isObject } from '../values/json';
import { connectionOptions } from './connectionOptions';
import { type DisplayedField, displayedFields } from './displayedFields';
import type { AnyField, ItemContext, MemberField, Setting } from './field';
import { converted, fieldError } from './fieldError';
import type { CarryOut, Flow, ItemRequest, Output, Read } from './operation';
import { readerOf } from './readSettings';

/** What an operation is made of. */
export interface Parts<FlowSettings extends Setting, OutputSettings extends Setting, Members> {
	endpointOf: (read: Read<Setting>) => Endpoint;
	fields: readonly AnyField[];
	flow?: Flow<FlowSettings, Members>;
	output: Output<OutputSettings>;
}

/** Sets a member, `a.b` within the member `a`. */
function setMember(target: IDataObject, path: string, value: unknown): void {
	const names = path.split('.');
	const last = names.pop() ?? '';
	let at = target;
	for (const name of names) {
		const next = at[name];
		at = isObject(next) ? next : (at[name] = {});
	}
	at[last] = value as IDataObject[string];
}

/** The value that a parameter has for the item. */
function valueOf(context: ItemContext, path: string, { type }: { type: string }): unknown {
	return context.getNodeParameter(path, undefined, { extractValue: type === 'resourceLocator' });
}

const EMPTY = new ValueProblem(
	'is empty',
	'Enter a value. If it comes from an expression, check that the item before has that field.',
);

/** Puts the value of one field into body or query. Left out is what has none; `null` clears a field. */
function place(context: ItemContext, into: IDataObject, field: MemberField, path: string): void {
	const { parameter, member, convert, isSet = false } = field;
	const { displayName, required = false } = parameter;
	const value = valueOf(context, path, parameter);
	const isEmpty = value === undefined || value === null || value === '';
	if (isEmpty && !isSet) {
		if (required) throw fieldError(context, displayName, EMPTY);
		if (value === null) setMember(into, member, null);
		return;
	}
	const ready = converted(context, displayName, convert, value);
	if (ready !== '') setMember(into, member, ready);
}

/** What the ID of a record is called: "Profile ID" where the editor shows "Profile". */
const idLabel = ({ displayName }: INodeProperties) =>
	/ID$/.test(displayName) ? displayName : `${displayName} ID`;

/** The request of one item, made from its fields. */
function requestOf<Members>(
	context: ItemContext,
	endpoint: Endpoint,
	shown: DisplayedField[],
	read: Read<Setting>,
): ItemRequest<Members> {
	const [method, template] = endpoint.split(' ');
	const path: Record<string, string> = {};
	const qs: IDataObject = {};
	const body: IDataObject = {};
	for (const { field, path: at } of shown) {
		if (field.kind === 'member') place(context, field.in === 'query' ? qs : body, field, at);
		// One that cannot be used fails the item before anything is sent.
		else if (field.kind === 'setting') read(field);
		else if (field.kind === 'open') Object.assign(body, field.membersOf(context, body));
		else if (field.kind === 'path') {
			const { parameter, convert, place: name } = field;
			path[name] = converted(context, idLabel(parameter), convert, valueOf(context, at, parameter));
		}
	}
	const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]));
	return {
		...connectionOptions(context),
		method: method as IHttpRequestMethods,
		url,
		path,
		qs,
		// Its members were checked where the fields were declared.
		body: body as Partial<Members>,
	};
}

/**
 * What a failed item gives out with *Continue*: an item with the error, linked to it.
 *
 * @throws the failure as an n8n error that names the item, unless the node goes on
 */
function failedItem(context: ItemContext, failure: unknown): INodeExecutionData[] {
	const item = context.getItemIndex();
	const error = nodeError(context.getNode(), failure, item);
	if (!context.continueOnFail()) throw error;
	return [errorItem(error, item)];
}

/**
 * Makes the function that carries out one item of an operation, by one request unless there is a flow.
 *
 * Links every item that comes out to the item that went in, errors of *Continue* included (n8n's routing engine leaves
 * those unlinked).
 */
export function carryOut<FlowSettings extends Setting, OutputSettings extends Setting, Members>({
	endpointOf,
	fields,
	flow,
	output,
}: Parts<FlowSettings, OutputSettings, Members>): CarryOut {
	return async (context, shown = displayedFields(fields, context.getNode())) => {
		try {
			const read = readerOf(context, (path, fallback) => context.getNodeParameter(path, fallback));
			const options = requestOf<Members>(context, endpointOf(read), shown, read);
			const shows = (setting: Setting) =>
				shown.some(({ field }) => field.kind === 'setting' && field.path === setting.path);
			const item = { context, request: options, read, shows };
			const itemsOf = (answer: Answer) => output.itemsOf(answer, item);
			const items = await (flow
				? flow.run({ ...item, output: itemsOf })
				: request(context, options).then(itemsOf));
			const pairedItem = { item: context.getItemIndex() };
			for (const made of items) made.pairedItem = pairedItem;
			return items;
		} catch (failure) {
			return failedItem(context, failure);
		}
	};
}
