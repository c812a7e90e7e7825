import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { allRecords } from '../allRecords';

/** A list of the tenant as options. */
export async function allOptions(
	context: ILoadOptionsFunctions,
	url: string,
	option: (record: IDataObject) => INodePropertyOptions,
): Promise<INodePropertyOptions[]> {
	return (await allRecords(context, url)).map(option);
}
