import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import type { Mapping } from '../../shared/tenantFields';
import type { RequestName } from '../../tenantDescription/requestPlaces';
import { describedFields } from '../../tenantDescription/describedFields';
import type { TenantField } from '../../tenantDescription/requestFields';

interface DescribedOperation {
	request: RequestName;
	/** Fields that are not listed, since they have a required parameter of their own. */
	known?: string[];
}

/** By resource and operation; settings by their category too. */
const OPERATIONS: Record<string, DescribedOperation | undefined> = {
	'group create': { request: 'groupCreate' },
	'group update': { request: 'groupUpdate' },
	'profile update': { request: 'profileUpdate' },
	'settings update crm': { request: 'crmSettings' },
	'settings update general': { request: 'generalSettings' },
	'settings update thirdParty': { request: 'thirdPartySettings' },
	'tag create': { request: 'tagCreate', known: ['title'] },
	'tag update': { request: 'tagUpdate', known: ['title'] },
	'template create': { request: 'templateCreate' },
};

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
	const mapping = context.getCurrentNodeParameter(parameterName) as Mapping | undefined;
	return mapping?.schema ?? [];
}

/**
 * The fields that the tenant's description names for the chosen operation.
 *
 * Where it cannot be read, those that are in the workflow stay as they are, and a notice says why there are no others.
 */
export async function getTenantFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const chosen = (name: string) => String(this.getCurrentNodeParameter(name) ?? '');
	const [resource, operation] = [chosen('resource'), chosen('operation')];
	// n8n leaves out what equals its default.
	const category = resource === 'settings' ? ` ${chosen('category') || 'general'}` : '';
	const described = OPERATIONS[`${resource} ${operation}${category}`];
	if (!described) {
		return {
			fields: savedFields(this, 'tenantFields'),
			emptyFieldsNotice: missingFieldsNotice(
				operation === '' ? 'no operation is chosen' : 'what is to be written comes from an expression',
			),
		};
	}
	const found = await describedFields(this, described.request);
	if ('problem' in found) {
		return {
			fields: savedFields(this, 'tenantFields'),
			emptyFieldsNotice: missingFieldsNotice(found.problem),
		};
	}
	return {
		fields: found.fields.filter(({ id }) => !described.known?.includes(id)),
		emptyFieldsNotice:
			found.more > 0
				? missingFieldsNotice(`its description has ${found.more} fields that cannot be listed here`)
				: `Your tenant describes no ${described.known ? 'further ' : ''}fields for this. Fields that you know can be sent with Other Fields.`,
	};
}
