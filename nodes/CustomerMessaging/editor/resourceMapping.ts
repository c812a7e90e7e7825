import type { ResourceMapperFields } from 'n8n-workflow';

import type { EditorContext } from '../api/client';
import { hasCredential } from '../api/context';
import { nodeErrorOf } from '../api/errors';
import { readRecord } from '../api/records';
import type { Endpoint } from '../contract/endpoints';
import { flatten } from '../core/field';
import type { Operation } from '../core/operation';
import { furtherFields, importColumns } from '../customers/importFields';
import { fieldKey, type Mapping, type TenantField } from '../fields/mapping';
import { operationsByResource } from '../operations/index';
import { isObject, ownMember } from '../values/json';
import { stringOf } from '../values/text';
import { describedFields, recordFields, SHOWN } from './describedFields';
import { note } from './lists';
import { searchAmong } from './methods';

/** Escapes a text, because n8n displays the notice as HTML. */
export const escapeHtml = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns why fields are missing. */
const missingFields = (reason: string) => `The fields of your account are not listed, since ${reason}.`;

/** Makes the notice of a form in which fields are missing, and tells how to send them without the form. */
const noticeOf = (reason: string) =>
	`${escapeHtml(reason)} Fields that you know can be sent with Other Fields.`;

/** Returns the stored mapping. Without its fields, n8n would drop the mappings of missing fields. */
export function savedMapping(context: EditorContext, parameterName: string): Mapping {
	const mapping: unknown = context.getCurrentNodeParameter(parameterName);
	return isObject(mapping) ? mapping : {};
}

const SETTINGS = ['GET /settings/crm', 'GET /settings/general', 'GET /settings/third-party'] as const;

/** Returns the settings that the tenant has as fields; none for other requests. */
async function currentFields(context: EditorContext, endpoint: Endpoint): Promise<TenantField[] | string> {
	const reading = SETTINGS.find((one) => one === endpoint.replace('PATCH', 'GET'));
	if (!reading) return [];
	try {
		return recordFields(await readRecord(context.api, reading, {}));
	} catch (error) {
		return `its settings cannot be read: ${nodeErrorOf(context, error).message}`;
	}
}

/**
 * Returns the fields that the description names for the chosen operation, and the settings that the tenant has, without
 * those that have a parameter of their own; and why fields may be missing.
 */
async function listedFields(context: EditorContext): Promise<{ fields: TenantField[]; reason: string }> {
	const chosen = (name: string) => stringOf(context.getCurrentNodeParameter(name));
	if (!hasCredential(context)) return { fields: [], reason: '' };
	const operations = ownMember(operationsByResource, chosen('resource'));
	const operation = ownMember(operations, chosen('operation')) as Operation | undefined;
	const endpoint = operation?.endpointOf(chosen);
	if (!operation || !endpoint)
		return { fields: [], reason: missingFields('what is to be written comes from an expression') };
	const known = flatten(operation.fields).flatMap((field) =>
		'target' in field && field.target?.place === 'body' ? [field.target.name] : [],
	);
	const read = await Promise.all([describedFields(context, endpoint), currentFields(context, endpoint)]);
	// The description comes first, because it knows more of a field than its current value tells.
	const all = read.flatMap((one) => (typeof one === 'string' ? [] : one));
	const isFirst = ({ id }: TenantField, at: number) => all.findIndex((one) => one.id === id) === at;
	const fields = all.filter(isFirst).filter(({ id }) => !known.includes(id));
	const problem = read.find((one) => typeof one === 'string');
	if (problem) return { fields, reason: missingFields(problem) };
	const further = known.length > 0 ? 'further ' : '';
	return { fields, reason: fields.length > 0 ? '' : `The service describes no ${further}fields for this.` };
}

/** Returns the settings that the tenant has and describes. What is mapped stays, also if it cannot be read. */
export async function getTenantFields(this: EditorContext): Promise<ResourceMapperFields> {
	const { schema: saved = [], value } = savedMapping(this, 'tenantFields');
	const { fields, reason } = await listedFields(this);
	// n8n would no longer show a mapped field that the tenant does not tell now, but send it.
	const mapped = saved.filter(
		({ id }) => ownMember(value, id) !== null && !fields.some((one) => one.id === id),
	);
	return { fields: [...fields, ...mapped], ...(reason && { emptyFieldsNotice: noticeOf(reason) }) };
}

/** Searches the fields that the tenant describes. A last entry tells why some are missing. */
export const searchTenantFields = searchAmong(async (context) => {
	const { fields, reason } = await listedFields(context);
	const options = fields.map((field) => ({ name: field.displayName, value: fieldKey(field) }));
	return reason ? [...options, note(reason)] : options;
});

/** Returns the columns of the interface, and further profile fields that the tenant describes or the workflow has. */
export async function getImportColumns(this: EditorContext): Promise<ResourceMapperFields> {
	const found = hasCredential(this)
		? await describedFields(this, 'POST /customers/bulk-import', ['customers', 'profile'])
		: '';
	const further = typeof found === 'string' ? (savedMapping(this, 'columns').schema ?? []) : found;
	return {
		fields: [
			...importColumns.map(({ path, parameter: { displayName, required = false } }) => ({
				id: path,
				displayName,
				type: 'string' as const,
				...SHOWN,
				required,
			})),
			// These columns are hidden until the user adds them. n8n maps a visible boolean to false, and the import would
			// send that for every row.
			...furtherFields(further).map((field) => ({ ...field, removed: true })),
		],
		...(typeof found === 'string' && found && { emptyFieldsNotice: noticeOf(missingFields(found)) }),
	};
}
