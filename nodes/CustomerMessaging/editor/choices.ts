import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { objectsOf, ownMember } from '../values/json';

/** Fields of profiles in the interface, and the times that most tenants add. Which ones a tenant sorts by is not documented. */
const SORT_FIELDS: Array<[field: string, name: string]> = [
	['address', 'Address'],
	['created_at', 'Created At'],
	...[1, 2, 3, 4, 5].map((n): [string, string] => [`custom_${n}`, `Custom ${n}`]),
	['date_of_birth', 'Date of Birth'],
	['email', 'Email'],
	['id', 'ID'],
	['marketing_opt_in', 'Marketing Opt-In'],
	['name', 'Name'],
	['phone_number', 'Phone Number'],
	['updated_at', 'Updated At'],
];

/** Returns choices, and the values that the workflow has stored beside them, so that the editor shows those too. */
function withStored(
	choices: Array<[value: string, name: string]>,
	stored: unknown[],
): INodePropertyOptions[] {
	const own = stored
		.filter((value): value is string => typeof value === 'string' && value !== '' && !value.startsWith('='))
		.map((value): [string, string] => [value, value]);
	return [...new Map([...own, ...choices])].map(([value, name]) => ({ name, value }));
}

/** Returns the fields that profiles may be sorted by. */
export async function getSortFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const given = ownMember(this.getCurrentNodeParameter('filters'), 'orderBy');
	const rows = objectsOf(ownMember(given, 'sort'));
	return withStored(
		SORT_FIELDS,
		rows.map(({ field }) => field),
	);
}

/** The values of messages that are known. The interface names `created` only. */
const MESSAGE_VALUES: Record<string, Array<[value: string, name: string]>> = {
	from: [['agent', 'Agent']],
	source: [
		['api', 'API'],
		['automation', 'Automation'],
	],
	status: [
		['created', 'Created'],
		['failed', 'Failed'],
	],
};

/** Makes the method for the values of a filter of the trigger. */
const valuesOf = (filter: string) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const stored = ownMember(this.getCurrentNodeParameter('filters'), filter);
		return [{ name: 'Any', value: '' }, ...withStored(MESSAGE_VALUES[filter], [stored])];
	};

export const getMessageFrom = valuesOf('from');
export const getMessageSource = valuesOf('source');
export const getMessageStatus = valuesOf('status');
