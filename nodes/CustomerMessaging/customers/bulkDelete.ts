import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import type { Body } from '../contract/endpoints';
import { type BatchRow, sendBatches } from '../core/batches';
import { forEachItem } from '../core/run';
import { editorOnly, memberNames, setting } from '../core/field';
import { fieldError, mistakenId } from '../core/fieldError';
import { errorItem, withWayOn } from '../core/errorItems';
import type { Item } from '../core/item';
import { nodeErrorOf } from '../api/errors';
import { setParameter } from '../fields/sets';
import { idElement, recordId, setOfIds } from '../values/ids';
import { isObject } from '../values/json';
import { integerFrom } from '../values/numbers';
import { InvalidValue, orInvalid, type Parse } from '../values/parse';

/** Parses an ID, or the record of a customer. A record that names another customer, such as a profile, has an ID of its own. */
const customerElement: Parse<number> = (element) => {
	const id = idElement(element);
	const owner = isObject(element) ? recordId(element.customer_id) : undefined;
	if (owner === undefined || owner === id) return id;
	throw new InvalidValue(
		`contains a record with the ID ${id} that belongs to customer ${owner}, such as a profile`,
		'Use the ID of the customer, e.g. {{ $json.customer_id }}.',
	);
};

/** What the list of customers is searched for. */
export const findCustomers = editorOnly({
	displayName: 'Find Customers',
	name: 'findCustomers',
	noDataExpression: true,
	placeholder: 'e.g. Mira or +49 171 1234567',
	description: 'Part of the name, or the phone number',
});

export const customerIds = setting(
	'customerIds',
	setOfIds(customerElement),
	{
		...setParameter('Customer Names or IDs', 'getCustomers'),
		typeOptions: { loadOptionsMethod: 'getCustomers', loadOptionsDependsOn: ['findCustomers'] },
		required: true,
	},
	'ids',
);

export const confirmedCount = setting('confirmedCount', integerFrom(0), {
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'How many you expect to delete. Only needed for more than 1,000 over all items.',
});

const MAX_WITHOUT_CONFIRMATION = 1000;

async function customersOf(context: RunContext<IExecuteFunctions>) {
	const rows = new Map<number, Required<BatchRow<number>>>();
	const failed: INodeExecutionData[] = [];
	const { path, parameter, parse } = customerIds;
	await forEachItem(context, ({ json }, item) => {
		const ids = orInvalid(() => parse(context.getNodeParameter(path, item, [])));
		const given = ids instanceof InvalidValue ? ids : (mistakenId(context, path, json, ids) ?? ids);
		if (given instanceof InvalidValue) {
			const error = fieldError(context, parameter.displayName, given, item);
			if (!context.continueOnFail()) throw withWayOn(error);
			failed.push(errorItem(nodeErrorOf(context, error), item));
			return;
		}
		for (const value of given) {
			const known = rows.get(value);
			if (known) known.alsoOf.push(item);
			else rows.set(value, { item, alsoOf: [], value });
		}
	});
	return { rows: [...rows.values()], failed };
}

/**
 * Deletes the customers of all input items, in requests of up to 500 customers. Fails before the first one if there are
 * many customers and *Confirmed Count* is not their number.
 */
export async function deleteCustomers(
	context: RunContext<IExecuteFunctions>,
	first: Item<typeof confirmedCount>,
): Promise<INodeExecutionData[]> {
	const confirmed = first.get(confirmedCount);
	const { rows, failed } = await customersOf(context);
	if (rows.length > MAX_WITHOUT_CONFIRMATION && confirmed !== rows.length) {
		const description = `More than ${MAX_WITHOUT_CONFIRMATION} are only deleted when their number is confirmed: enter ${rows.length} as Confirmed Count.`;
		const message = `${rows.length} customers would be deleted; nothing was deleted`;
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	const results = await sendBatches(context, rows, async (batch) => {
		const ids = batch.map(({ value }) => value);
		const body = { ids } satisfies Body<'POST /customers/bulk-delete'>;
		const labels = () => memberNames([customerIds]);
		const request = { method: 'POST', url: '/customers/bulk-delete', body, labels } as const;
		await context.api.send({ ...request, entryName: (place) => String(ids[place]) });
		return { ids, deleted: true };
	});
	return [...results, ...failed];
}
