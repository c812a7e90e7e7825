import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { unwrapped } from '../../shared/outputs';
import { request } from '../../transport/request';

/** The tenant's tags as options. */
export async function getTags(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { body } = await request(this, { url: '/tags' });
	const tags = unwrapped(body);
	return (Array.isArray(tags) ? (tags as IDataObject[]) : []).map((tag) => ({
		name: String(tag.title ?? tag.id),
		value: tag.id as number,
	}));
}
