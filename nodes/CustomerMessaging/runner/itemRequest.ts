import type { IDataObject, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import type { Labels } from '../transport/errorBody';
import { ValueProblem } from '../values/conversion';
import { isObject } from '../values/json';
import { phoneDigits } from '../values/phoneNumber';
import { ABSENT, EMPTY, isBlank, stringOf } from '../values/text';
import type { DisplayedField } from './displayedFields';
import { emptyCells } from './emptyCells';
import {
	type AnyField,
	type FindByPhone,
	flattened,
	type ItemContext,
	type MemberField,
	memberNames,
	type OpenField,
	type PathField,
	type Setting,
} from './field';
import { converted, fieldError } from './fieldError';
import type { ItemRequest, Read } from './operation';

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

/** A field of a record that the user gives by phone number. */
type ByPhone = (MemberField | PathField) & { findByPhone: FindByPhone };

const isByPhone = ({ field, givesPhone }: DisplayedField): boolean =>
	givesPhone === true && 'findByPhone' in field && field.findByPhone !== undefined;

/**
 * Makes the look-up of a record that the user gives by phone number. The look-up sends requests, so it waits until all
 * other parameters are converted.
 */
function lookupOf(
	context: ItemContext,
	{ parameter, convert, findByPhone }: ByPhone,
	path: string,
): () => Promise<unknown> {
	const { displayName } = parameter;
	const value = valueOf(context, path, parameter);
	const digits = converted(context, displayName, isBlank(value) ? () => EMPTY : phoneDigits, value);
	return async () => {
		const found = await findByPhone(context, digits);
		return converted(context, displayName, found instanceof ValueProblem ? () => found : convert, found);
	};
}

/** Parameters that always have a value in the editor, if they are not in a collection. */
const SWITCHES = ['boolean', 'options'];

/**
 * Writes the value of one field into the body or the query.
 *
 * A field without a value is left out, or clears a clearable member where the item says so. But undefined and `null` fail
 * the item in a query: without its filter, a list would be complete.
 */
function place(
	context: ItemContext,
	into: IDataObject,
	field: MemberField,
	{ path, isCertain }: DisplayedField,
	clears: boolean,
): void {
	const { parameter, member, convert, isSet = false, isClearable = false } = field;
	const { displayName, required = false, type } = parameter;
	const value = valueOf(context, path, parameter);
	if (isBlank(value) && !isSet) {
		if ((required || SWITCHES.includes(type)) && isCertain) throw fieldError(context, displayName, EMPTY);
		if (field.in === 'query' && typeof value !== 'string') throw fieldError(context, displayName, ABSENT);
		if (clears && isClearable) setMember(into, member, null);
	} else {
		const ready = converted(context, displayName, convert, value);
		if (ready !== '') setMember(into, member, ready);
	}
}

/** Returns the label of a record's ID: "Profile ID" if the editor shows "Profile". */
const idLabel = ({ displayName }: INodeProperties) =>
	/ID$/.test(displayName) ? displayName : `${displayName} ID`;

/**
 * Converts the members of the interface that an open field has added. A member has one meaning, in whatever parameter
 * the user gives it.
 *
 * @param before the body without the members of the open field
 */
function asKnown(
	context: ItemContext,
	{ parameters: [{ displayName: given }] }: OpenField,
	fields: readonly AnyField[],
	before: IDataObject,
	body: IDataObject,
): IDataObject {
	const known = flattened(fields).flatMap((field) =>
		field.kind === 'member' && field.in === 'body' ? [field] : [],
	);
	for (const { member, convert, parameter, isClearable = false } of known) {
		if (!Object.hasOwn(body, member) || body[member] === before[member]) continue;
		const value = body[member];
		if (isBlank(value) && isClearable) body[member] = null;
		else if (isBlank(value)) delete body[member];
		else
			body[member] = converted(
				context,
				`${given}: ${parameter.displayName}`,
				convert,
				value,
			) as IDataObject[string];
	}
	return body;
}

/** Returns the labels of the parameters that make a body of optional members. */
function labelsOf(fields: readonly AnyField[]): string[] {
	return fields.flatMap((field) => {
		if (field.kind === 'open') return field.parameters.map(({ displayName }) => displayName);
		const isOfBody =
			field.kind === 'collection' && field.fields.some((one) => 'in' in one && one.in === 'body');
		return isOfBody ? [field.parameter.displayName] : [];
	});
}

/** Fails a write without any value, if the operation has parameters for its body. */
function requireMembers(context: ItemContext, fields: readonly AnyField[]): void {
	const labels = labelsOf(fields);
	if (labels.length === 0) return;
	const problem = new ValueProblem(
		'have no value; nothing was sent',
		'Add the fields to send. A field with an empty text is left out.',
	);
	throw fieldError(context, labels.join(', '), problem);
}

/**
 * Makes the request of one item from its fields.
 *
 * @param isComplete whether the body is sent as it is, and no flow adds to it
 * @param problems takes the errors about fields, if they do not fail the item
 * @throws NodeOperationError that names the field
 */
export async function itemRequestOf<Members>(
	context: ItemContext,
	endpoint: Endpoint,
	fields: readonly AnyField[],
	shown: DisplayedField[],
	read: Read<Setting>,
	isComplete: boolean,
	problems?: NodeOperationError[],
): Promise<ItemRequest<Members>> {
	const [method, template] = endpoint.split(' ');
	const clears = shown.some(({ field }) => field === emptyCells) && read(emptyCells) === 'clear';
	const path: Record<string, string> = {};
	const qs: IDataObject = {};
	let body: IDataObject = {};
	const lookups: Array<() => Promise<void>> = [];
	const take = (displayed: DisplayedField) => {
		const { field, path: at } = displayed;
		if (isByPhone(displayed)) {
			const find = lookupOf(context, field as ByPhone, at);
			lookups.push(async () => {
				const id = await find();
				if (field.kind === 'path') path[field.place] = stringOf(id);
				else setMember(body, (field as MemberField).member, id);
			});
		} else if (field.kind === 'member')
			place(context, field.in === 'query' ? qs : body, field, displayed, clears);
		// A setting with an unusable value fails the item before a request is sent.
		else if (field.kind === 'setting') read(field);
		else if (field.kind === 'open') {
			const completed = field.membersOf(context, body, clears);
			body = field.hasTenantTypes ? completed : asKnown(context, field, fields, body, completed);
		} else if (field.kind === 'path') {
			const { parameter, convert, place: name } = field;
			path[name] = converted(context, idLabel(parameter), convert, valueOf(context, at, parameter));
		}
	};
	const collect = (error: unknown) => {
		if (!problems || !(error instanceof NodeOperationError)) throw error;
		problems.push(error);
	};
	for (const displayed of shown) {
		try {
			take(displayed);
		} catch (error) {
			collect(error);
		}
	}
	if (isComplete && Object.keys(body).length === 0) requireMembers(context, fields);
	for (const lookUp of lookups) await lookUp().catch(collect);
	const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]));
	return {
		method: method as IHttpRequestMethods,
		url,
		path,
		qs,
		// The declaration of the fields has checked the members.
		body: body as Partial<Members>,
		labels: () => labelsOfMembers(context, fields, shown, body),
	};
}

/** Returns the editor's names of the members that an item's request writes. Of two names, the one on display counts. */
function labelsOfMembers(
	context: ItemContext,
	fields: readonly AnyField[],
	shown: DisplayedField[],
	body: IDataObject,
): Labels {
	const open = fields.flatMap((field) => (field.kind === 'open' && field.namesOf ? [field.namesOf] : []));
	const displayed = memberNames(shown.map(({ field }) => field));
	const labels: Labels[] = [...open.map((namesOf) => namesOf(context, body)), memberNames(fields), displayed];
	return Object.assign({}, ...labels) as Labels;
}
