import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import type { Mapping, TenantField } from '../fields/mapping';
import { tenantFields } from '../fields/tenantFields';
import { operationsByResource } from '../resources/operations';
import type { Operation } from '../runner/operation';
import { isObject } from '../values/json';
import { fieldsOfRequest } from './describedRequests';

/** Returns the members that are not listed, because each has its own parameter that is always displayed. */
const ownMembers = ({ fields }: Operation): string[] =>
	fields.flatMap((field) => (field.kind === 'member' && field.in === 'body' ? [field.member] : []));

/** Returns the chosen operation if the tenant describes fields for it. */
function chosenOperation(resource: string, name: string): Operation | undefined {
	const operations = Object.hasOwn(operationsByResource, resource) ? operationsByResource[resource] : {};
	const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
	return operation?.fields.includes(tenantFields) ? operation : undefined;
}

/** Escapes a text, because n8n displays the notice as HTML. */
function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Returns the notice that explains why fields are missing and how to send them without the list.
 *
 * @param problem continues the sentence after "since"
 */
export function missingFieldsNotice(problem: string): string {
	return `The fields of your tenant are not listed, since ${escaped(problem)}. Fields that you know can be sent with Other Fields.`;
}

/**
 * Returns the fields that the workflow has stored from an earlier description. Without them, n8n would drop the
 * mappings of missing fields.
 */
export function savedFields(context: ILoadOptionsFunctions, parameterName: string): TenantField[] {
	const mapping: unknown = context.getCurrentNodeParameter(parameterName);
	const { schema = [] }: Mapping = isObject(mapping) ? mapping : {};
	return schema;
}

/**
 * Returns the fields that the tenant's description names for the chosen operation.
 *
 * If the description is unreadable, the fields in the workflow stay, and a notice names the reason.
 */
export async function getTenantFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const chosen = (name: string) => String(this.getCurrentNodeParameter(name) ?? '');
	const operation = chosenOperation(chosen('resource'), chosen('operation'));
	const endpoint = operation?.endpointOf(chosen);
	if (!operation || !endpoint) {
		return {
			fields: savedFields(this, 'tenantFields'),
			emptyFieldsNotice: missingFieldsNotice(
				chosen('operation') === ''
					? 'no operation is chosen'
					: 'what is to be written comes from an expression',
			),
		};
	}
	const known = ownMembers(operation);
	const found = await fieldsOfRequest(this, endpoint);
	if ('problem' in found) {
		return {
			fields: savedFields(this, 'tenantFields'),
			emptyFieldsNotice: missingFieldsNotice(found.problem),
		};
	}
	return {
		fields: found.fields.filter(({ id }) => !known.includes(id)),
		emptyFieldsNotice:
			found.more > 0
				? missingFieldsNotice(`its description has ${found.more} fields that cannot be listed here`)
				: `Your tenant describes no ${known.length > 0 ? 'further ' : ''}fields for this. Fields that you know can be sent with Other Fields.`,
	};
}
