import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../api/client';

import type { ItemContext } from '../../core/field';
import { orUndefinedIfForbidden, wholeList } from '../../api/records';
import { objectsOf } from '../../values/json';
import { quote } from '../../values/text';
import {
	isApproved,
	templateLanguage,
	templateName,
	type TemplatePart,
	templateParts,
	templateStatus,
} from './templateRecord';

export interface FoundTemplate {
	record?: IDataObject;
	parts?: TemplatePart[];
	/** The parts of the same template in another language, where the tenant shows none in this one. */
	partsElsewhere?: TemplatePart[];
	problems: string[];
}

/** Reads a record. Most items of a run have the same template, so this is done once for each. */
function read(record: IDataObject, name: string): FoundTemplate {
	const status = templateStatus(record);
	const problems = isApproved(status) ? [] : [`The template "${name}" is not approved: ${quote(status)}`];
	const parts = templateParts(record);
	if (!parts) problems.push(`The service does not show the texts of the template "${name}"`);
	return { record, parts, problems };
}

function search(records: IDataObject[], name: string, language: string): FoundTemplate {
	const named = records.filter((record) => templateName(record) === name);
	// A record that does not tell its language may be the right one.
	const matching = named.filter((record) => ['', language].includes(templateLanguage(record)));
	const record = matching.find((one) => isApproved(templateStatus(one))) ?? matching.at(0);
	if (record) return read(record, quote(name));
	const languages = named.map((one) => quote(templateLanguage(one)));
	const where = languages.length > 0 ? ` in "${quote(language)}", only in ${languages.join(', ')}` : '';
	const problems = [`The service shows no template "${quote(name)}"${where}`];
	return { partsElsewhere: named[0] && read(named[0], name).parts, problems };
}

/** Returns the search in the templates of the tenant, read once per run; undefined if it does not show them to this user. */
export const templateSearchOf = async ({ api }: ItemContext) =>
	await api.once(templateSearchOf, async () => await readTemplates(api));

async function readTemplates(api: Api) {
	const list = await orUndefinedIfForbidden(wholeList(api, '/templates'));
	if (!list) return undefined;
	const records = objectsOf(list);
	const known = new Map<string, FoundTemplate>();
	return (name: string, language: string): FoundTemplate => {
		const key = JSON.stringify([name, language]);
		const found = known.get(key) ?? search(records, name, language);
		known.set(key, found);
		return found;
	};
}
