import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import type { Mapping, TenantField } from '../fields/mapping';
import { tenantFields } from '../fields/tenantFields';
import { operationsByResource } from '../resources/operations';
import type { Operation } from '../runner/operation';
import { isObject } from '../values/json';
import { fieldsOfRequest } from './describedRequests';

/** Fields that are not listed, since they have a parameter of their own that is always shown. */
const ownMembers = ({ fields }: Operation): string[] =>
	fields.flatMap((field) => (field.kind === 'member' && field.in === 'body' ? [field.member] : []));

/** The chosen operation, where it has fields that the tenant describes. */
function chosenOperation(resource: string, name: string): Operation | undefined {
	const operations = Object.hasOwn(operationsByResource, resource) ? operationsByResource[resource] : {};
	const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
	return operation?.fields.includes(tenantFields) ? operation : undefined;
}

/** n8n shows the notice as HTML. */
function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Tells why fields are missing, and how they can be sent all the same. */
export function missingFieldsNotice(problem: string): string {
	return `The fields of your tenant are not listed, since ${escaped(problem)}. Fields that you know can be sent with Other Fields.`;
}

/** What was listed when the editor last saw the description; n8n would drop mappings to fields that are gone. */
export function savedFields(context: ILoadOptionsFunctions, parameterName: string): TenantField[] {
	const mapping: unknown = context.getCurrentNodeParameter(parameterName);
	const { schema = [] }: Mapping = isObject(mapping) ? mapping : {};
	return schema;
}

/**
 * The fields that the tenant's description names for the chosen operation.
 *
 * Where it cannot be read, those that are in the workflow stay as they are, and a notice says why there are no others.
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
