import type { EditorContext } from '../api/client';
import { type INodeListSearchResult, type ResourceMapperFields, UserError } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import { furtherFields, importColumns } from '../customers/importColumns';
import { fieldKey, type Mapping, type TenantField } from '../fields/mapping';
import { otherFields, settingsForm } from '../fields/openFields';
import { operationsByResource } from '../operations/index';
import { flattened } from '../core/field';
import type { Operation } from '../core/operation';
import { describedFields, type Problem, recordFields, type RequestPlace, SHOWN } from './describedFields';
import { CREDENTIAL } from '../api/context';
import { nodeErrorOf } from '../api/errors';
import { readMap } from '../api/records';
import { isObject, ownMember } from '../values/json';
import { stringOf } from '../values/text';

/** Whether the tenant describes fields for an operation. */
const isDescribed = ({ fields }: Operation) => fields.includes(otherFields);

const describedEndpoints = Object.values(operationsByResource)
	.flatMap((operations) => Object.values(operations))
	.filter(isDescribed)
	.flatMap(({ endpoints }) => endpoints);

/** The requests whose fields come from the description, because the interface documents none or only some of them. */
const DESCRIBED_REQUESTS: RequestPlace[] = [
	...describedEndpoints.map((endpoint) => ({ endpoint })),
	{ endpoint: 'POST /customers/bulk-import', within: ['customers', 'profile'] },
];

/** Whether the node has a credential. n8n asks for the fields of a new node before it has one. */
export const hasCredential = (context: EditorContext) =>
	context.getNode().credentials?.[CREDENTIAL] !== undefined;

async function fieldsOfRequest(context: EditorContext, endpoint: Endpoint): Promise<TenantField[] | Problem> {
	if (!hasCredential(context)) return { problem: 'the node has no credential yet' };
	return await describedFields(context, endpoint, DESCRIBED_REQUESTS);
}

function chosenOperation(resource: string, name: string): Operation | undefined {
	const operation = ownMember(ownMember(operationsByResource, resource), name) as Operation | undefined;
	return operation && isDescribed(operation) ? operation : undefined;
}

/** Escapes a text, because n8n displays the notice as HTML. */
export const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns why fields are missing. */
const missingFields = (reason: string) => `The fields of your account are not listed, since ${reason}.`;

/** Makes the notice of a form in which fields are missing, and tells how to send them without the form. */
const noticeOf = (reason: string) => `${escaped(reason)} Fields that you know can be sent with Other Fields.`;

function savedMapping(context: EditorContext, parameterName: string): Mapping {
	const mapping: unknown = context.getCurrentNodeParameter(parameterName);
	return isObject(mapping) ? mapping : {};
}

/** Returns the fields of the stored mapping. Without them, n8n would drop the mappings of missing fields. */
export const savedFields = (context: EditorContext, parameterName: string): TenantField[] =>
	savedMapping(context, parameterName).schema ?? [];

const SETTINGS = ['GET /settings/crm', 'GET /settings/general', 'GET /settings/third-party'] as const;

/** Returns the settings that the tenant has as fields; none for other requests. */
async function currentFields(context: EditorContext, endpoint: Endpoint): Promise<Problem | TenantField[]> {
	const reading = SETTINGS.find((one) => one === endpoint.replace('PATCH', 'GET'));
	if (!reading) return [];
	try {
		return recordFields((await readMap(context.api, reading, {})) ?? {});
	} catch (error) {
		return { problem: `its settings cannot be read: ${nodeErrorOf(context, error).message}` };
	}
}

/** The fields that can be listed for the chosen operation. */
interface Listed {
	fields: TenantField[];
	/** Why fields may be missing. */
	reason: string;
	/** Whether nothing is known to be missing. */
	isWhole: boolean;
}

const NO_CREDENTIAL =
	'Choose a credential and open the node again, and the fields of your account appear here.';

/**
 * Returns the fields that the description names for the chosen operation, and the settings that the tenant has, without
 * those that have a parameter of their own.
 *
 * @param saved stands for what cannot be read
 */
async function listedFields(context: EditorContext, saved: TenantField[] = []): Promise<Listed> {
	const chosen = (name: string) => stringOf(context.getCurrentNodeParameter(name));
	const operation = chosenOperation(chosen('resource'), chosen('operation'));
	const endpoint = operation?.endpointOf(chosen);
	const none = (reason: string): Listed => ({ fields: saved, reason, isWhole: false });
	if (!operation || !endpoint) {
		const isMissing = chosen('operation') === '';
		return none(
			missingFields(isMissing ? 'no operation is chosen' : 'what is to be written comes from an expression'),
		);
	}
	if (!hasCredential(context)) return none(NO_CREDENTIAL);
	const known = flattened(operation.fields).flatMap((field) => {
		if ('parameters' in field) return field.members ?? [];
		return 'target' in field && field.target?.place === 'body' ? [field.target.name] : [];
	});
	const [described, current] = await Promise.all([
		fieldsOfRequest(context, endpoint),
		currentFields(context, endpoint),
	]);
	// The description comes first, because it knows more of a field than its current value tells.
	const listed = [described, current].flatMap((one) => ('problem' in one ? saved : one));
	const fields = listed.filter(
		({ id }, index) => !known.includes(id) && listed.findIndex((one) => one.id === id) === index,
	);
	const problems = [described, current].flatMap((one) => ('problem' in one ? [one.problem] : []));
	const further = known.length > 0 ? 'further ' : '';
	const isWhole = problems.length === 0;
	const reason = isWhole ? `The service describes no ${further}fields for this.` : missingFields(problems[0]);
	return { fields, reason, isWhole };
}

/** Returns the settings that the tenant has and describes. What cannot be read stays as the workflow has stored it. */
export async function getTenantFields(this: EditorContext): Promise<ResourceMapperFields> {
	const [{ name }] = settingsForm.parameters;
	const { schema: saved = [], value } = savedMapping(this, name);
	const { fields, reason } = await listedFields(this, saved);
	// n8n would no longer show a mapped field that the tenant does not tell now, but send it.
	const mapped = saved.filter(
		({ id }) => ownMember(value, id) !== null && !fields.some((one) => one.id === id),
	);
	return {
		fields: [...fields, ...mapped],
		emptyFieldsNotice: reason === NO_CREDENTIAL ? reason : noticeOf(reason),
	};
}

/**
 * Returns the fields that the tenant describes for a *From List*.
 *
 * @throws UserError that tells why there are none
 */
export async function searchTenantFields(this: EditorContext, filter = ''): Promise<INodeListSearchResult> {
	const { fields, reason, isWhole } = await listedFields(this);
	if (fields.length === 0 && !isWhole)
		throw new UserError(reason, { description: 'Fields that you know can be entered by name.' });
	const typed = filter.trim().toLowerCase();
	const results = fields
		.map((field) => ({ name: field.displayName, value: fieldKey(field) }))
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(typed));
	// Its value is none, so that it cannot be used by mistake.
	if (!isWhole || fields.length === 0) results.push({ name: reason, value: '' });
	return { results };
}

/** Returns the columns of the interface, and further profile fields that the tenant describes or the workflow has. */
export async function getImportColumns(this: EditorContext): Promise<ResourceMapperFields> {
	const found = await fieldsOfRequest(this, 'POST /customers/bulk-import');
	const further = 'problem' in found ? savedFields(this, 'columns') : found;
	return {
		fields: [
			...importColumns.map(({ path, parameter: { displayName, required = false } }) => ({
				id: path,
				displayName,
				type: 'string' as const,
				required,
				...SHOWN,
			})),
			// These columns are hidden until the user adds them. n8n maps a visible boolean to false, and the import would
			// send that for every row.
			...furtherFields(further).map((field) => ({ ...field, required: false, removed: true })),
		],
		...('problem' in found && { emptyFieldsNotice: noticeOf(missingFields(found.problem)) }),
	};
}
