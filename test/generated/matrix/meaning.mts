import { DateTime } from 'luxon';

import type { Kind } from './kinds.mts';

/** Where a value goes, as far as that decides what it can mean. */
export interface Place {
	/** Nothing can be done without it. */
	required: boolean;
	/** It narrows a list, or stands in a row that was added for it: without it something else would come about. */
	wanted: boolean;
	/** It is added to a new record, or is a column of one. */
	optional: boolean;
	/** It is one of the node's switches or choices: there is always one in force. */
	always: boolean;
	/** The choices of a fixed list. */
	choices: unknown[];
	/** The least that a number may be, and the most. */
	least: number;
	most: number;
	/** The most characters that the contract allows. */
	longest: number;
}

/** What may become of a value. */
export interface Meaning {
	/** What it may be made to; for a set, its members. */
	values: unknown[];
	/** The parameter may be taken as left empty. */
	absent: boolean;
	/** The item may fail, with an error that names the parameter. */
	error: boolean;
}

/** Nothing but an error that names the parameter. */
export const ERROR: Meaning = { values: [], absent: false, error: true };

/** Exactly this, or one of these, and no error. */
export const means = (...values: unknown[]): Meaning => ({ values, absent: false, error: false });

/** This, or an error for those who look closer. */
export const mayMean = (...values: unknown[]): Meaning => ({ values, absent: false, error: true });

const MAY_BE_ABSENT: Meaning = { values: [], absent: true, error: true };

const isPlain = (value: unknown): value is boolean | number | string =>
	typeof value === 'string' ||
	typeof value === 'boolean' ||
	(typeof value === 'number' && Number.isFinite(value));

/** The ways to write a moment as text; undefined for anything else. */
function momentTexts(value: unknown): string[] | undefined {
	if (value instanceof Date) return [value.toISOString()];
	if (!DateTime.isDateTime(value)) return undefined;
	return [value.toISO(), value.toUTC().toISO(), value.toJSDate().toISOString()].map(String);
}

/** The texts that a plain value or a moment can be; undefined for lists, records and what is no number. */
const textsOf = (value: unknown): string[] | undefined =>
	isPlain(value) ? [String(value)] : momentTexts(value);

const TRUE = [true, 1, 'true', 'yes', 'ja', 'on', '1'];
const FALSE = [false, 0, 'false', 'no', 'nein', 'off', '0'];

/** Whether a value is none: nothing, text without a letter, or an empty list. */
export const isEmpty = (value: unknown) =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && value.trim() === '') ||
	(Array.isArray(value) && value.length === 0);

const SETS: Kind[] = ['id set', 'name set', 'tag titles'];

/** Kinds of which an empty text may go out as it is. */
const EMPTY_TEXTS: Kind[] = ['text', 'email', 'URL'];

/** What nothing means: undefined, null, an empty list, and texts without a letter. */
function meaningOfNothing(kind: Kind, value: unknown, place: Place): Meaning {
	const { required, wanted, always } = place;
	if (kind === 'free value') return { ...MAY_BE_ABSENT, error: false };
	if (SETS.includes(kind)) {
		// Where a set is one member of a new record, leaving it out empties nothing.
		if (value === undefined || value === null) return place.optional ? MAY_BE_ABSENT : ERROR;
		return required ? MAY_BE_ABSENT : { ...MAY_BE_ABSENT, values: [[]] };
	}
	if (kind === 'JSON object' || kind === 'JSON array') return required ? ERROR : MAY_BE_ABSENT;
	if (required || always) return ERROR;
	if (typeof value !== 'string') return wanted ? ERROR : MAY_BE_ABSENT;
	return { ...MAY_BE_ABSENT, values: EMPTY_TEXTS.includes(kind) ? [value, ''] : [] };
}

function meaningOfSet(kind: Kind, value: unknown, { required }: Place): Meaning {
	if (Array.isArray(value)) {
		if (value.length > 0) return ERROR;
		return required ? MAY_BE_ABSENT : { ...MAY_BE_ABSENT, values: [[]] };
	}
	if (value === '[]') return { ...MAY_BE_ABSENT, values: kind === 'id set' ? [[]] : [[], ['[]']] };
	if (kind === 'id set') {
		if (typeof value !== 'number' || !Number.isInteger(value)) return ERROR;
		return value > 0 ? means([value]) : mayMean([value]);
	}
	if (kind === 'tag titles' && typeof value === 'object' && value !== null && 'title' in value)
		return means([value.title]);
	const texts = textsOf(value);
	if (!texts) return ERROR;
	return typeof value === 'string' ? means(texts) : mayMean(...texts.map((text) => [text]));
}

function meaningOfNumber(kind: Kind, value: unknown, { least, most }: Place): Meaning {
	if (typeof value !== 'number' || !Number.isFinite(value)) return ERROR;
	switch (kind) {
		case 'integer id':
			return value > 0 ? means(value) : mayMean(value);
		case 'coordinate':
			return means(String(value));
		case 'PIN':
			// A number loses the zeros that a PIN begins with.
			return mayMean(String(value).padStart(6, '0'));
		default:
			return value < least || value > most ? ERROR : means(value);
	}
}

/**
 * What a value may become, for a parameter of that kind: decided from what the interface and a person in the editor would
 * expect, without a look at what the nodes do.
 */
export function meaning(kind: Kind, value: unknown, place: Place): Meaning {
	if (typeof value === 'number' && Number.isNaN(value)) return ERROR;
	if (isEmpty(value)) return meaningOfNothing(kind, value, place);
	const texts = textsOf(value);
	if (typeof value === 'string' && value.length > place.longest) return ERROR;
	switch (kind) {
		case 'text':
			return texts ? means(...texts) : ERROR;
		case 'name':
		case 'email':
		case 'URL':
		case 'key':
		case 'sort field':
		case 'variable name':
			return texts ? mayMean(...texts) : ERROR;
		case 'text id':
			return isPlain(value) ? mayMean(String(value)) : ERROR;
		case 'free value':
			return means(...(momentTexts(value) ?? [value]));
		case 'boolean':
			if (TRUE.includes(value as never)) return means(true);
			return FALSE.includes(value as never) ? means(false) : ERROR;
		case 'choice':
			return place.choices.includes(value) ? means(value) : ERROR;
		case 'date': {
			const days = momentTexts(value)?.map((text) => text.slice(0, 10));
			return days ? means(...days) : ERROR;
		}
		case 'integer id':
		case 'coordinate':
		case 'PIN':
		case 'number':
			return meaningOfNumber(kind, value, place);
		case 'id set':
		case 'name set':
		case 'tag titles':
			return meaningOfSet(kind, value, place);
		case 'JSON array':
			if (value === '[]') return means([]);
			if (!Array.isArray(value)) return ERROR;
			return value.length === 0 ? means([]) : mayMean(value);
		case 'JSON object': {
			if (typeof value !== 'object' || value === null || Array.isArray(value)) return ERROR;
			if (texts) return ERROR;
			return Object.keys(value).length === 0 ? { ...MAY_BE_ABSENT, values: [value] } : mayMean(value);
		}
		case 'phone':
		case 'binary field':
		case 'file':
		case 'notice':
			return ERROR;
	}
}
