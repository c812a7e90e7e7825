import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { nameAndId } from '../listSearch/searchList';
import { allOptions } from './allOptions';

/** The tenant's users as options. */
export async function getUsers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await allOptions(this, '/users', (record) => ({
		name: nameAndId(record, ['name', 'email']),
		value: record.id as number,
	}));
}
