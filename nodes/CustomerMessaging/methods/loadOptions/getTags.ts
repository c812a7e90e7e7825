import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { nameAndId } from '../listSearch/searchList';
import { allOptions } from './allOptions';

/** The tenant's tags as options. */
export async function getTags(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await allOptions(this, '/tags', (record) => ({
		name: nameAndId(record, ['title']),
		value: record.id as number,
	}));
}
