import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { nameAndId } from '../listSearch/searchList';
import { allOptions } from './allOptions';

/** The tenant's customers as options. */
export async function getCustomers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await allOptions(this, '/customers', (record) => ({
		name: nameAndId(record, ['name', 'display_id']),
		value: record.id as number,
	}));
}
