import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import { furtherFields, importColumns } from '../customerImport/customerColumns';
import type { Mapping, TenantField } from '../fields/mapping';
import { tenantFields } from '../fields/openFields';
import { operationsByResource } from '../resources/index';
import type { AnyField } from '../runner/field';
import type { Operation } from '../runner/operation';
import { describedFields } from '../tenantDescription/describedFields';
import type { RequestPlace } from '../tenantDescription/readDescription';
import { type DescribedFields, type Problem, recordFields, SHOWN } from '../tenantDescription/requestFields';
import { CREDENTIAL } from '../transport/context';
import { readMap } from '../transport/records';
import { isObject, ownMember } from '../values/json';
import { stringOf } from '../values/text';

const withTenantFields = Object.values(operationsByResource)
	.flatMap((operations) => Object.values(operations))
	.filter(({ fields }) => fields.includes(tenantFields))
	.flatMap(({ endpoints }) => endpoints);

/** The requests whose fields come from the description, because the interface documents none or only some of them. */
const DESCRIBED_REQUESTS: RequestPlace[] = [
	...withTenantFields.map((endpoint) => ({ endpoint })),
	{ endpoint: 'POST /conversations/{conversationId}/messages' },
	{ endpoint: 'POST /customers/bulk-import', within: ['customers', 'profile'] },
];

/** Whether the node has a credential. n8n asks for the fields of a new node before it has one. */
export const hasCredential = (context: ILoadOptionsFunctions) =>
	context.getNode().credentials?.[CREDENTIAL] !== undefined;

/** Returns the fields that the tenant's own description names for one of these requests, or the problem. */
export async function fieldsOfRequest(
	context: ILoadOptionsFunctions,
	endpoint: Endpoint,
): Promise<DescribedFields | Problem> {
	if (!hasCredential(context)) return { problem: 'the node has no credential yet' };
	return await describedFields(context, endpoint, DESCRIBED_REQUESTS);
}

/** Returns the chosen operation if the tenant describes fields for it. */
function chosenOperation(resource: string, name: string): Operation | undefined {
	const operation = ownMember(ownMember(operationsByResource, resource), name) as Operation | undefined;
	return operation?.fields.includes(tenantFields) ? operation : undefined;
}

/** Escapes a text, because n8n displays the notice as HTML. */
export const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the notice that explains why fields are missing and how to send them without the list. */
const missingFieldsNotice = (reason: string) =>
	`The fields of your account are not listed, since ${escaped(reason)}. Fields that you know can be sent with Other Fields.`;

function savedMapping(context: ILoadOptionsFunctions, parameterName: string): Mapping {
	const mapping: unknown = context.getCurrentNodeParameter(parameterName);
	return isObject(mapping) ? mapping : {};
}

/** Returns the fields of the stored mapping. Without them, n8n would drop the mappings of missing fields. */
export const savedFields = (context: ILoadOptionsFunctions, parameterName: string): TenantField[] =>
	savedMapping(context, parameterName).schema ?? [];

/** The requests that read settings. */
const SETTINGS = ['GET /settings/crm', 'GET /settings/general', 'GET /settings/third-party'] as const;

/** Returns the settings that the tenant has now as fields; no fields for other requests. */
async function currentFields(
	context: ILoadOptionsFunctions,
	endpoint: Endpoint,
): Promise<DescribedFields | Problem> {
	const reading = SETTINGS.find((one) => one === endpoint.replace('PATCH', 'GET'));
	if (!reading) return { fields: [], more: 0 };
	try {
		return await recordFields((await readMap(context, reading, {})) ?? {});
	} catch (error) {
		return { problem: `its settings cannot be read: ${(error as Error).message}` };
	}
}

/**
 * Returns the fields that the description names for the chosen operation, and the settings that the tenant has. If they
 * cannot be read, the fields in the workflow stay, and a notice names the reason.
 */
export async function getTenantFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const chosen = (name: string) => stringOf(this.getCurrentNodeParameter(name));
	const operation = chosenOperation(chosen('resource'), chosen('operation'));
	const endpoint = operation?.endpointOf(chosen);
	const { schema: saved = [], mappingMode } = savedMapping(this, 'tenantFields');
	if (!operation || !endpoint) {
		const isMissing = chosen('operation') === '';
		const reason = isMissing ? 'no operation is chosen' : 'what is to be written comes from an expression';
		return { fields: saved, emptyFieldsNotice: missingFieldsNotice(reason) };
	}
	if (!hasCredential(this)) {
		const notice = 'Choose a credential and open the node again, and the fields of your account appear here.';
		return { fields: saved, emptyFieldsNotice: notice };
	}
	const membersOf = (fields: readonly AnyField[]) =>
		fields.flatMap((field) => (field.kind === 'member' && field.in === 'body' ? [field.member] : []));
	// Each of these has its own parameter that is always displayed.
	const known = membersOf(operation.fields);
	// These have one too, but only a mapping takes them from the input by itself.
	const unshown = operation.fields.flatMap((field) =>
		field.kind === 'open'
			? (field.members ?? [])
			: field.kind === 'collection'
				? membersOf(field.fields)
				: [],
	);
	const [described, current] = await Promise.all([
		fieldsOfRequest(this, endpoint),
		currentFields(this, endpoint),
	]);
	// The description comes first, because it knows more of a field than its current value tells.
	const listed = [described, current].flatMap((one) => ('problem' in one ? saved : one.fields));
	const fields = listed.filter(({ id }, index) => listed.findIndex((one) => one.id === id) === index);
	const problems = [described, current].flatMap((one) => {
		if ('problem' in one) return [one.problem];
		return one.more > 0 ? [`its description has ${one.more} fields that cannot be listed here`] : [];
	});
	const hidden = mappingMode === 'autoMapInputData' ? known : [...known, ...unshown];
	return {
		fields: fields.filter(({ id }) => !hidden.includes(id)),
		emptyFieldsNotice:
			problems.length > 0
				? missingFieldsNotice(problems[0])
				: `The service describes no ${known.length + unshown.length > 0 ? 'further ' : ''}fields for this. Fields that you know can be sent with Other Fields.`,
	};
}

/**
 * Returns the columns of a bulk import: those of the interface, and further profile fields that the tenant describes. If
 * the description is unreadable, the further columns in the workflow stay.
 */
export async function getImportColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const found = await fieldsOfRequest(this, 'POST /customers/bulk-import');
	const further = 'problem' in found ? savedFields(this, 'columns') : found.fields;
	return {
		fields: [
			...importColumns.map(({ id, displayName, required = false }) => ({
				id,
				displayName,
				type: 'string' as const,
				required,
				...SHOWN,
			})),
			// These columns are hidden until the user adds them. n8n maps a visible boolean to false, and the import would
			// send that for every row.
			...furtherFields(further).map((field) => ({ ...field, required: false, removed: true })),
		],
		...('problem' in found && { emptyFieldsNotice: missingFieldsNotice(found.problem) }),
	};
}
