import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { templateLanguage, templateName } from '../../shared/templateRecord';
import { allRecords } from '../allRecords';
import { allOptions } from './allOptions';

/** The languages in which the chosen template exists; all languages of templates while none is chosen. */
export async function getTemplateLanguages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const languages = await allOptions(this, '/support/chatapp-template-languages', (record) => ({
		name: `${String(record.language)} (${String(record.code)})`,
		value: String(record.code),
	}));
	const chosen = this.getCurrentNodeParameter('templateName', { extractValue: true });
	const templates = (await allRecords(this, '/templates')).filter(
		(template) => templateName(template) === chosen,
	);
	const codes = [...new Set(templates.map(templateLanguage))].filter((code) => code !== '');
	if (codes.length === 0) return languages;
	return codes.map((code) => languages.find(({ value }) => value === code) ?? { name: code, value: code });
}
