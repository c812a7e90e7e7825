import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { templateName } from '../../shared/templateRecord';
import { searchList } from './searchList';

/** The tenant's templates for a From List, by the name that sending takes. */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{
			url: '/templates',
			// The language is chosen apart, and n8n shows each value once.
			label: templateName,
			value: templateName,
		},
		filter,
		paginationToken,
	);
}
