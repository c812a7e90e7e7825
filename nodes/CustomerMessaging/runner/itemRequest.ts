import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { isExpression, NodeOperationError } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import type { Labels } from '../api/errorBody';
import { pathOf } from '../api/records';
import { InvalidValue } from '../values/parse';
import { isObject, ownMember } from '../values/json';
import { phoneDigits } from '../values/phoneNumber';
import { absentValue, emptyValue, isBlank, stringOf } from '../values/text';
import type { DisplayedField } from './displayedFields';
import { emptyCells } from './emptyValues';
import {
	type AnyField,
	flattened,
	type ItemContext,
	memberNames,
	type OpenField,
	type Setting,
} from './field';
import { fieldError, mistakenId, parseField } from './fieldError';
import type { ItemRequest, Read } from './operation';

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

/** Parameters that always have a value in the editor, if they are not in a collection. */
const SWITCHES = ['boolean', 'options'];

/** Converts the members of the interface that an open field has added. A member has one meaning, wherever it is given. */
function convertKnown(
	context: ItemContext,
	{ parameters: [{ displayName: given }] }: OpenField,
	fields: readonly AnyField[],
	before: IDataObject,
	body: IDataObject,
): void {
	for (const field of flattened(fields)) {
		if (field.kind !== 'member' || field.in !== 'body') continue;
		const { member, parse, parameter, isClearable = false } = field;
		const value = body[member];
		if (!Object.hasOwn(body, member) || value === before[member]) continue;
		if (!isBlank(value)) {
			const label = `${given}: ${parameter.displayName}`;
			body[member] = parseField(context, label, parse, value) as IDataObject[string];
		} else if (isClearable) body[member] = null;
		else delete body[member];
	}
}

/** Fails a write without any value, if the operation has parameters for its body. */
export function requireMembers(context: ItemContext, fields: readonly AnyField[]): void {
	const labels = fields.flatMap((field) => {
		if (field.kind === 'open') return field.parameters.map(({ displayName }) => displayName);
		const isOfBody =
			field.kind === 'collection' &&
			field.fields.some((one) => one.kind === 'open' || ('in' in one && one.in === 'body'));
		return isOfBody ? [field.parameter.displayName] : [];
	});
	if (labels.length === 0) return;
	const problem = new InvalidValue(
		'have no value; nothing was sent',
		'Add the fields to send. A field with an empty text is left out.',
	);
	throw fieldError(context, labels.join(', '), problem);
}

/**
 * Makes the request of one item from its fields. One without a value is left out, or clears a clearable member where
 * the item says so. But undefined and `null` fail the item in a query: without its filter, a list would be complete.
 *
 * @param isComplete whether the body is sent as it is, and no flow adds to it
 * @param problems takes the errors about fields, if they do not fail the item
 */
export async function itemRequestOf(
	context: ItemContext,
	endpoint: Endpoint,
	fields: readonly AnyField[],
	shown: DisplayedField[],
	read: Read<Setting>,
	isComplete: boolean,
	problems?: NodeOperationError[],
): Promise<ItemRequest<object>> {
	const [method] = endpoint.split(' ');
	const clears = () => shown.some(({ field }) => field === emptyCells) && read(emptyCells) === 'clear';
	const path: Record<string, string> = {};
	const qs: IDataObject = {};
	let body: IDataObject = {};
	const lookUps: Array<() => Promise<void>> = [];
	const collect = (error: unknown) => {
		if (!problems || !(error instanceof NodeOperationError)) throw error;
		problems.push(error);
	};
	const take = ({ field, path: at, isCertain, findByPhone }: DisplayedField) => {
		if (field.kind === 'editorOnly') return;
		if (field.kind === 'setting') {
			const { filters } = context.getNode().parameters;
			const isByExpression =
				at.startsWith('filters.') && isExpression(ownMember(filters, field.parameter.name));
			// Without its filter, a list would be complete.
			const given: unknown = isByExpression ? context.getNodeParameter(at) : undefined;
			if (Array.isArray(given) && given.length === 0)
				throw fieldError(context, field.parameter.displayName, absentValue());
			// A setting with an unusable value fails the item before a request is sent.
			return void read(field);
		}
		if (field.kind === 'open') {
			const completed = field.membersOf(context, body, clears(), at);
			if (!field.hasTenantTypes) convertKnown(context, field, fields, body, completed);
			body = completed;
			return;
		}
		const { parameter, parse } = field;
		const { displayName, required = false, type } = parameter;
		const extractValue = type === 'resourceLocator';
		const value: unknown = context.getNodeParameter(at, undefined, { extractValue });
		// An item may hold the ID of another record, such as a profile's beside its customer's.
		const isRecord = field.kind === 'path' || field.findByPhone !== undefined;
		const mistake = isRecord && mistakenId(context, at, context.getInputData().json, value);
		if (mistake) throw fieldError(context, displayName, mistake);
		if (findByPhone) {
			if (isBlank(value)) throw fieldError(context, displayName, emptyValue());
			const digits = parseField(context, displayName, phoneDigits, value);
			// It sends requests, so it waits until all other parameters are parsed.
			lookUps.push(async () => {
				const found = await findByPhone(context, digits).catch((error: unknown) => {
					throw error instanceof InvalidValue ? fieldError(context, displayName, error) : error;
				});
				const id = parseField<unknown>(context, displayName, parse, found);
				if (field.kind === 'path') path[field.place] = stringOf(id);
				else setMember(body, field.member, id);
			});
		} else if (field.kind === 'path')
			path[field.place] = parseField(context, displayName, field.parse, value);
		else if (isBlank(value) && !field.isSet) {
			if ((required || SWITCHES.includes(type)) && isCertain)
				throw fieldError(context, displayName, emptyValue());
			if (field.in === 'query' && typeof value !== 'string')
				throw fieldError(context, displayName, absentValue());
			if (field.isClearable && clears()) setMember(body, field.member, null);
		} else {
			const ready = parseField(context, displayName, parse, value);
			if (ready !== '') setMember(field.in === 'query' ? qs : body, field.member, ready);
		}
	};
	for (const displayed of shown) {
		try {
			take(displayed);
		} catch (error) {
			collect(error);
		}
	}
	if (isComplete && Object.keys(body).length === 0) requireMembers(context, fields);
	for (const lookUp of lookUps) await lookUp().catch(collect);
	const url = pathOf(endpoint, path);
	const labels = (): Labels =>
		Object.assign(
			{},
			...shown.map(({ field, path: at }) =>
				field.kind === 'open' ? field.namesOf?.(context, body, at) : undefined,
			),
			memberNames(fields),
			// Of two names, the one on display counts.
			memberNames(shown.map(({ field }) => field)),
		);
	return { method: method as IHttpRequestMethods, url, path, qs, body, labels };
}
