import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { allOptions } from './allOptions';

/** The tenant's template languages as options. */
export async function getTemplateLanguages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await allOptions(this, '/support/chatapp-template-languages', (record) => ({
		name: `${String(record.language)} (${String(record.code)})`,
		value: String(record.code),
	}));
}
