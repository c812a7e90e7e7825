import type { IDataObject } from 'n8n-workflow';

import type { Api, RunContext } from '../api/client';
import { pagesOf } from '../api/pages';
import type { FindByName } from '../core/field';
import { comparableTitle, integerSegment, setOfIds } from '../values/ids';
import { objectsOf } from '../values/json';
import { InvalidValue, type Parse } from '../values/parse';
import { isBlank, isWordForNothing, quote, stringOf } from '../values/text';

/** The members that name the records of these lists. The interface shows them for tags and users only. */
export const NAMES = {
	agents: ['name', 'title'],
	groups: ['name', 'title'],
	tags: ['title'],
	users: ['name'],
};

type Named = Map<string, Array<{ name: string; id: unknown }>>;

/** Reads the records of a list by their names without capitals. */
async function readNames(api: Api, list: keyof typeof NAMES, qs?: IDataObject): Promise<Named> {
	const byName: Named = new Map();
	for await (const { records } of pagesOf(api, { url: `/${list}`, qs })) {
		for (const record of objectsOf(records)) {
			const given = NAMES[list].map((member) => record[member]).find((one) => !isBlank(one));
			const name = comparableTitle(stringOf(given));
			const key = name.toLowerCase();
			byName.set(key, [...(byName.get(key) ?? []), { name, id: record.id }]);
		}
	}
	return byName;
}

/** Returns the ID of the only record with a name, in these capitals or, if there is none, in others. */
function idOf(byName: Named, given: string): unknown {
	const name = comparableTitle(given);
	const alike = byName.get(name.toLowerCase()) ?? [];
	const exact = alike.filter((one) => one.name === name);
	const ids = (exact.length > 0 ? exact : alike).map(({ id }) => id);
	if (ids.length === 1) return ids[0];
	throw ids.length === 0
		? new InvalidValue(
				`"${quote(given)}" is neither an ID nor a name in your account`,
				'Check the name, or choose from the list.',
			)
		: new InvalidValue(
				`"${quote(given)}" is ambiguous: several records in your account have this name`,
				`Give the ID of the one you mean, such as ${ids.map(stringOf).join(' or ')}.`,
			);
}

/** Whether a value can be a name, and no ID. */
export const isName = (value: unknown): value is string =>
	typeof value === 'string' &&
	!isBlank(value) &&
	!isWordForNothing(value) &&
	!/^\s*(\d+|undefined)\s*$/.test(value);

const elements = setOfIds((element: unknown) => element);

/** Makes what finds the records of a list that are given by name, with one reading for all items of a run. */
export const findIn =
	(list: keyof typeof NAMES, { isSet = false, qs }: { isSet?: boolean; qs?: IDataObject } = {}): FindByName =>
	(value) => {
		const given = isSet ? elements(value) : [value];
		if (!given.some(isName)) return undefined;
		return async ({ api }) => {
			const key = JSON.stringify(['names', list, qs]);
			const byName = await api.once(key, async () => await readNames(api, list, qs));
			const ids = given.map((one) => (isName(one) ? idOf(byName, one) : one));
			return isSet ? ids : ids[0];
		};
	};

/** Parses the ID or the name of a record to what returns its ID. */
export const idOrName =
	(list: keyof typeof NAMES): Parse<(context: RunContext) => Promise<string>> =>
	(value) => {
		const find = findIn(list)(value);
		const id = find ? '' : integerSegment(value);
		return async (context) => (find ? integerSegment(await find(context)) : id);
	};
