import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { allOptions } from './allOptions';

/** The tenant's channels as options. */
export async function getChannels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await allOptions(this, '/support/channels', (record) => ({
		name: String(record.label ?? record.channel),
		value: String(record.channel),
	}));
}
