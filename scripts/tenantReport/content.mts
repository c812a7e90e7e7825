import { recordId } from '../../nodes/CustomerMessaging/values/ids.ts';
import { isObject } from '../../nodes/CustomerMessaging/values/json.ts';
import type { Schema } from '../../sandbox/contract.mts';
import { choose, type Difference, isNeeded } from './rules.mts';
import { fits, ISO_DATE, ISO_TIME, timeForm, told, typeOf, typeWord } from './vocabulary.mts';

/** A member of an object: whether the contract shows it, and its type; undefined if it did not come. */
export interface Member {
	place: string;
	name: string;
	isShown: boolean;
	type?: string;
}

/** A schema with what its parts (`allOf`) add to it. */
export const whole = ({ allOf = [], ...schema }: Schema): Schema =>
	allOf.map(whole).reduce((all, part) => {
		return { ...all, ...part, properties: { ...all.properties, ...part.properties } };
	}, schema);

const join = (place: string, name: string) => (place ? `${place}.${name}` : name);

/** The forms of times, addresses and IDs, which say more than their types. IDs show also where the contract has no type. */
function formSeen(value: unknown, wanted: string[], name: string, isOwnId: boolean): Difference | undefined {
	const own = told(name) ?? 'a further member';
	const isDate = own === 'date_of_birth';
	if ((isDate || /(_at|At)$/.test(name)) && (typeof value === 'string' || typeof value === 'number')) {
		const { form, isRead } = timeForm(value);
		const expected = isDate ? ISO_DATE : ISO_TIME;
		if (form === expected) return undefined;
		return { rule: isDate || isRead ? 'time' : 'timeUnread', came: `\`${own}\`: ${form}`, expected };
	}
	if (own === 'url' && typeof value === 'string' && !/^https?:\/\//.test(value))
		return { rule: 'address', came: '`url`: an address without a host' };
	const isId = isOwnId || (/(^|_)ids?$/.test(name) && wanted.includes('integer'));
	if (isId && typeof value === 'string') return choose('ids', 'text');
	if (!isOwnId || typeof value !== 'number') return undefined;
	if (recordId(value) !== undefined) return choose('ids', 'number');
	return { rule: 'idLost', came: Number.isInteger(value) ? 'numbers with too many digits' : 'fractions' };
}

/** The member of a record that is called so in another spelling. */
const respelt = (value: object, name: string) =>
	Object.keys(value).find((key) => key !== name && told(key) === name);

/**
 * Compares a value with what the contract says about it.
 *
 * @param place where the value stands in the body, in names that a report may have
 */
export function* contentSeen(
	value: unknown,
	described: Schema,
	place: string,
	name = '',
	isOwnId = false,
): Generator<Difference | Member> {
	const { properties, items, type, enum: values, required = [], additionalProperties } = whole(described);
	const wanted = [type ?? []].flat();
	const form = formSeen(value, wanted, name, isOwnId);
	if (form) yield form;
	else if (wanted.length > 0 && !wanted.some((one) => fits(value, one))) {
		const came = typeOf(value);
		const rule = isNeeded(place) && /object|list|null/.test(came) ? 'needed' : 'member';
		yield { rule, came: `\`${place}\`: ${came}`, expected: wanted.map(typeWord).join(' or ') };
	} else if (values && !values.includes(value))
		yield { rule: 'value', came: `\`${place}\`: another value`, expected: 'a value of the interface' };
	if (Array.isArray(value)) for (const item of value) yield* contentSeen(item, items ?? {}, `${place}[]`);
	if (!isObject(value)) return;
	for (const own of Object.keys(properties ?? {})) {
		const at = join(place, own);
		const other = respelt(value, own);
		const isThere = Object.hasOwn(value, own);
		if (!isThere && (other !== undefined || required.includes(own))) {
			const rule = isNeeded(at) ? 'needed' : other === undefined ? 'lacking' : 'member';
			const came = `\`${at}\`: ${other === undefined ? 'no such member' : `it is called \`${other}\``}`;
			yield { rule, came, expected: 'a member of this name' };
		} else yield { place, name: own, isShown: true, type: isThere ? typeOf(value[own]) : undefined };
	}
	const isOpen = properties !== undefined || (type === 'object' && additionalProperties !== false);
	const hasIds = /^(data)?(\[\])?$/.test(place) && !Object.hasOwn(properties ?? {}, 'uuid');
	for (const [key, member] of Object.entries(value)) {
		const shown = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
		if (isOpen && !shown) yield { place, name: key, isShown: false, type: typeOf(member) };
		yield* contentSeen(member, shown ?? {}, join(place, told(key) ?? '*'), key, hasIds && key === 'id');
	}
}
