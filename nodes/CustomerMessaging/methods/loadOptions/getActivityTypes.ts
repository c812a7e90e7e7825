import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { allOptions } from './allOptions';

/** The tenant's activity types as options. */
export async function getActivityTypes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await allOptions(this, '/support/activity-types', (record) => ({
		name: String(record.label ?? record.type),
		value: String(record.type),
	}));
}
