import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { nameAndId } from '../listSearch/searchList';
import { allOptions } from './allOptions';

/** The tenant's groups as options. */
export async function getGroups(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await allOptions(this, '/groups', (record) => ({
		name: nameAndId(record, ['name', 'title']),
		value: record.id as number,
	}));
}
