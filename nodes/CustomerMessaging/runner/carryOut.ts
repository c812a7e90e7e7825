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

/** The parts of an operation. */
export interface Parts<FlowSettings extends Setting, OutputSettings extends Setting, Members> {
	endpointOf: (read: Read<Setting>) => Endpoint;
	fields: readonly AnyField[];
	flow?: Flow<FlowSettings, Members>;
	output: Output<OutputSettings>;
}

/** Sets a member. The path `a.b` sets the member `b` of the member `a`. */
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

/** Returns the value of a parameter for the item. */
function valueOf(context: ItemContext, path: string, { type }: { type: string }): unknown {
	return context.getNodeParameter(path, undefined, { extractValue: type === 'resourceLocator' });
}

const EMPTY = new ValueProblem(
	'is empty',
	'Enter a value. If it comes from an expression, check that the item before has that field.',
);

/**
 * Writes the value of one field into the body or the query. A field without a value is left out. `null` clears a field.
 */
function place(
	context: ItemContext,
	into: IDataObject,
	field: MemberField,
	{ path, isCertain }: DisplayedField,
): void {
	const { parameter, member, convert, isSet = false } = field;
	const { displayName, required = false } = parameter;
	const value = valueOf(context, path, parameter);
	const isEmpty = value === undefined || value === null || value === '';
	if (isEmpty && !isSet) {
		if (required && isCertain) throw fieldError(context, displayName, EMPTY);
		if (value === null) setMember(into, member, null);
		return;
	}
	const ready = converted(context, displayName, convert, value);
	if (ready !== '') setMember(into, member, ready);
}

/** Returns the label of a record's ID: "Profile ID" if the editor shows "Profile". */
const idLabel = ({ displayName }: INodeProperties) =>
	/ID$/.test(displayName) ? displayName : `${displayName} ID`;

/** Makes the request of one item from its fields. */
function requestOf<Members>(
	context: ItemContext,
	endpoint: Endpoint,
	shown: DisplayedField[],
	read: Read<Setting>,
): ItemRequest<Members> {
	const [method, template] = endpoint.split(' ');
	const path: Record<string, string> = {};
	const qs: IDataObject = {};
	let body: IDataObject = {};
	for (const displayed of shown) {
		const { field, path: at } = displayed;
		if (field.kind === 'member') place(context, field.in === 'query' ? qs : body, field, displayed);
		// A setting with an unusable value fails the item before a request is sent.
		else if (field.kind === 'setting') read(field);
		// Spread, so that a member called `__proto__` is a member.
		else if (field.kind === 'open') body = { ...body, ...field.membersOf(context, body) };
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
		// The declaration of the fields has checked the members.
		body: body as Partial<Members>,
	};
}

/**
 * Returns the output of a failed item with *Continue*: an item with the error, linked to the failed item.
 *
 * @throws NodeApiError or NodeOperationError that names the item, without *Continue*
 */
function failedItem(context: ItemContext, failure: unknown): INodeExecutionData[] {
	const item = context.getItemIndex();
	const error = nodeError(context.getNode(), failure, item);
	if (!context.continueOnFail()) throw error;
	return [errorItem(error, item)];
}

/**
 * Fails an item whose operation n8n's routing engine cannot find, such as one that an expression chooses. No request is
 * sent.
 */
export async function refuse(context: ItemContext): Promise<INodeExecutionData[]> {
	const problem = new ValueProblem(
		'does not exist, or cannot be chosen by an expression',
		'Choose Resource and Operation from their lists.',
	);
	return failedItem(context, fieldError(context, 'Operation', problem));
}

/**
 * Makes the function that carries out one item of an operation. Without a flow, it sends one request.
 *
 * It links every output item to the input item. It also links the error items of *Continue*, which n8n's routing engine
 * does not link.
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
