import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { templateLanguage, templateName } from '../../shared/templateRecord';
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
			label: (template) => {
				const language = templateLanguage(template);
				return templateName(template) + (language ? ` (${language})` : '');
			},
			value: templateName,
		},
		filter,
		paginationToken,
	);
}
