import type { IDataObject } from 'n8n-workflow';

import type { ContractTenant } from './contractTenant.mts';
import { baseParameters, exchange, itemOf } from './exchange.mts';
import { type Kind, kindOf } from './kinds.mts';
import { labelsOf, type Meeting } from './meetingParameters.mts';
import { nameOf, type ShownOperation, type ShownParameter } from './shownParameters.mts';

/** Kinds by which a row is known among others. */
const KEY_KINDS: Kind[] = ['key', 'sort field', 'variable name'];

/** Names of others. */
const KEY_NAMES = ['fieldName', 'position', 'url'];

/** What stands beside the key in a row. */
const BESIDE = ['value', 'text', 'direction', 'fieldLabel'];

/** The rows that a parameter stands in, with what tells them apart and what they hold. */
function rowsOf(shown: ShownParameter[], key: ShownParameter): ShownParameter | undefined {
	const row = key.within.at(-1);
	const isKey = KEY_KINDS.includes(kindOf(key)) || KEY_NAMES.includes(key.property.name);
	if (row?.type !== 'fixedCollection' || !row.typeOptions?.multipleValues || !isKey) return undefined;
	const prefix = key.path.slice(0, key.path.lastIndexOf('.') + 1);
	return shown.find(({ path }) => BESIDE.some((name) => path === `${prefix}${name}`));
}

/** Two values that differ, of what stands beside a key. */
const valuesOf = ({ property }: ShownParameter): [string, string] =>
	property.name === 'direction' ? ['asc', 'desc'] : ['Nova', 'Vega'];

/**
 * Two rows for the same thing. Nothing says which of them counts, so it has to be an error, unless both go out.
 */
export function meetingRows(
	tenant: ContractTenant,
	operation: ShownOperation,
	shown: ShownParameter[],
): Meeting[] {
	return shown.flatMap((key) => {
		const beside = rowsOf(shown, key);
		if (!beside) return [];
		const values = valuesOf(beside);
		const meeting = (
			what: string,
			keys: [unknown, unknown],
			mayBoth: boolean,
			more: IDataObject = {},
		): Meeting => ({
			name: `${nameOf(operation)} ${key.path} ${what}`,
			labels: labelsOf(key),
			run: async () => {
				const [way] = key.shownBy;
				const chosen = { ...way, [beside.path]: values[0] };
				const parameters = baseParameters(operation, shown, key, keys[0], chosen);
				const path = key.path.split('.').slice(0, -1);
				const rows = path.reduce<unknown>(
					(at, name) => (at as IDataObject)[name],
					parameters.values,
				) as IDataObject[];
				rows.push({
					...rows[0],
					[key.property.name]: keys[1] as string,
					[beside.property.name]: values[1],
					...more,
				});
				return await exchange(tenant, parameters.values, [itemOf({})]);
			},
			allows: (_, { requests }) => {
				const sent = JSON.stringify(requests.map(({ query, body }) => ({ query, body })));
				return mayBoth && values.every((value) => sent.includes(value));
			},
		});
		if (key.property.name === 'position') {
			return [
				meeting('twice', [1, 1], false, { type: 'url' }),
				meeting('twice, of two types', [1, 1], false, { type: 'quick_reply' }),
				meeting('twice, once as text', [1, '1'], false, { type: 'url' }),
			];
		}
		const isSort = kindOf(key) === 'sort field';
		// A placeholder is replaced exactly as it is written, spaces included.
		const isExact = key.path.includes('placeholder');
		// Two buttons may open one address.
		const isButton = key.property.name === 'url';
		const name = kindOf(key) === 'variable name' ? '1' : 'nova';
		return [
			meeting('twice', [name, name], isSort || isButton),
			meeting('twice, once with spaces', [name, ` ${name} `], isSort || isExact || isButton),
			...(name === '1' ? [meeting('twice, once with a zero', ['1', '01'], false)] : []),
		];
	});
}
