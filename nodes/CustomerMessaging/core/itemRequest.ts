import {
	type IDataObject,
	type IHttpRequestMethods,
	type INodeProperties,
	isExpression,
	NodeOperationError,
} from 'n8n-workflow';

import type { Labels } from '../api/errors';
import { pathOf } from '../api/records';
import { InvalidValue } from '../values/parse';
import type { Place, Target } from '../values/field';
import { ownMember } from '../values/json';
import { phoneDigits } from '../values/phoneNumber';
import { absentValue, emptyValue, isBlank } from '../values/text';
import type { VisibleField } from './displayedFields';
import { emptyCells } from './emptyValues';
import {
	type AnyField,
	type FindByName,
	flatten,
	type ItemContext,
	memberNames,
	type OpenField,
	type Setting,
} from './field';
import { fieldError, findField, mistakenId, parseField } from './fieldError';
import type { Item, ItemRequest } from './item';
import type { ItemOperation } from './operation';

/** Types of parameters that people cannot empty in the editor, outside of collections and where the default is not empty. */
const SWITCHES = ['boolean', 'options'];

/** Parses the members of the interface that an open field has added. A member has one meaning, wherever it is given. */
function parseKnown(
	context: ItemContext,
	{ parameter: { displayName: given } }: OpenField,
	fields: readonly AnyField[],
	before: IDataObject,
	body: IDataObject,
): void {
	for (const field of flatten(fields)) {
		if (!('target' in field) || field.target?.place !== 'body' || field.isUndocumented) continue;
		const { target, parse, parameter, isClearable = false } = field;
		const { name } = target;
		const value = body[name];
		if (!Object.hasOwn(body, name) || value === before[name]) continue;
		if (isBlank(value) && !isClearable) delete body[name];
		else {
			const label = `${given}: ${parameter.displayName}`;
			body[name] = parseField(context, label, parse, value) as IDataObject[string];
		}
	}
}

/** Fails a write without any value, if the operation has parameters for its body. */
export function requireMembers(context: ItemContext, fields: readonly AnyField[], body: object): void {
	if (Object.keys(body).length > 0) return;
	const isOfBody = (field: AnyField): boolean =>
		'membersOf' in field || ('target' in field && field.target?.place === 'body');
	const labels = fields
		.filter((field) => ('fields' in field ? field.fields.some(isOfBody) : isOfBody(field)))
		.map(({ parameter }) => parameter.displayName);
	if (labels.length === 0) return;
	const problem = new InvalidValue(
		'have no value; nothing was sent',
		'Add the fields to send. A field with an empty text is left out.',
	);
	throw fieldError(context, labels.join(', '), problem);
}

/** Where the parts of a request come together. */
interface Parts extends Record<Place, IDataObject> {
	/** What sends requests itself, and waits until all other parameters are parsed. */
	lookUps: Array<() => Promise<void>>;
}

/** Puts a parsed value into its part of the request. */
function put(parts: Parts, { place, name }: Target, value: unknown): void {
	if (value === '') return;
	const names = name.split('.');
	const last = names.pop() ?? '';
	let at = parts[place];
	for (const holder of names) at = (at[holder] ??= {}) as IDataObject;
	at[last] = value as IDataObject[string];
}

/** Fails a filter whose expression gives an empty list: without its filter, a list would be complete. */
function requireFilter(context: ItemContext, at: string, { name, displayName }: INodeProperties): void {
	if (!isExpression(ownMember(context.getNode().parameters.filters, name))) return;
	const given: unknown = context.getNodeParameter(at);
	if (Array.isArray(given) && given.length === 0) throw fieldError(context, displayName, absentValue());
}

/** Puts the value of a field into its part of the request. @throws NodeOperationError that names the parameter */
function take(
	item: Item<Setting>,
	fields: readonly AnyField[],
	{ field, path: at, isCertain, findByPhone }: VisibleField,
	parts: Parts,
	clears: () => boolean,
): void {
	const { context } = item;
	if ('membersOf' in field) {
		const completed = field.membersOf(context, parts.body, clears(), at);
		parseKnown(context, field, fields, parts.body, completed);
		parts.body = completed;
		return;
	}
	if (!('parse' in field)) return;
	const { parameter, parse } = field;
	const { displayName, required = false, type } = parameter;
	if (!field.target) {
		if (at.startsWith('filters.')) requireFilter(context, at, parameter);
		// A setting with an unusable value fails the item before a request is sent.
		item.get(field);
		return;
	}
	const { target, isClearable, isSet } = field;
	const value: unknown = context.getNodeParameter(at, undefined, {
		extractValue: type === 'resourceLocator',
	});
	// An item may hold the ID of another record, such as a profile's beside its customer's.
	const isRecord = target.place === 'path' || field.findByPhone !== undefined;
	const mistake = isRecord && mistakenId(context, at, context.getInputData().json, value);
	if (mistake) throw fieldError(context, displayName, mistake);
	const isMissing = isBlank(value) && !isSet;
	let find: ReturnType<FindByName>;
	if (findByPhone) {
		if (isMissing) throw fieldError(context, displayName, emptyValue());
		const digits = parseField(context, displayName, phoneDigits, value);
		item.known.phone_number = digits;
		find = async () => await findByPhone(context, digits);
	} else if (field.findByName && !isMissing && typeof value !== 'number')
		find = parseField(context, displayName, field.findByName, value);
	if (find) {
		const found = find;
		parts.lookUps.push(async () => {
			const id = await findField(context, displayName, found(context));
			put(parts, target, parseField<unknown>(context, displayName, parse, id));
		});
		return;
	}
	if (isMissing) {
		const isSwitch = SWITCHES.includes(type) && !isBlank(parameter.default);
		if (target.place === 'path' || ((required || isSwitch) && isCertain))
			throw fieldError(context, displayName, emptyValue());
		if (target.place === 'query' && typeof value !== 'string')
			throw fieldError(context, displayName, absentValue());
		if (!isClearable || !clears()) return;
	}
	put(parts, target, parseField<unknown>(context, displayName, parse, value));
}

/**
 * Makes the request of one item from its fields. One without a value is left out, or clears a clearable member where
 * the item says so. But undefined and `null` fail the item in a query: without its filter, a list would be complete.
 */
export async function requestOf(
	item: Item<Setting>,
	{ endpoint: given, fields, run, collects = false }: ItemOperation,
): Promise<ItemRequest<object>> {
	const { context, shown } = item;
	const endpoint = typeof given === 'string' ? given : given(item);
	const [method] = endpoint.split(' ');
	const clears = () => item.shows(emptyCells) && item.get(emptyCells) === 'clear';
	const path: Record<string, string> = {};
	const parts: Parts = { path, query: {}, body: {}, lookUps: [] };
	const collect = (error: unknown) => {
		// The fields before tell whom the item is about.
		Object.assign(item.request, { path, body: parts.body });
		if (!collects || !(error instanceof NodeOperationError)) throw error;
		item.problems.push(error);
	};
	for (const displayed of shown) {
		try {
			take(item, fields, displayed, parts, clears);
		} catch (error) {
			collect(error);
			const { field } = displayed;
			if ('parse' in field && !field.target) item.reset(field);
		}
	}
	// Steps of the operation may add to the body.
	if (!run && method !== 'GET') requireMembers(context, fields, parts.body);
	for (const lookUp of parts.lookUps) await lookUp().catch(collect);
	const { query: qs, body } = parts;
	// Of two names, the one on display counts.
	const labels = (): Labels => memberNames([...fields, ...shown.map(({ field }) => field)]);
	return { method: method as IHttpRequestMethods, url: pathOf(endpoint, path), path, qs, body, labels };
}
