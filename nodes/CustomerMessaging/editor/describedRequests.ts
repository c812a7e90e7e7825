import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import { tenantFields } from '../fields/openFields';
import { operationsByResource } from '../resources/index';
import { describedFields } from '../tenantDescription/describedFields';
import type { Problem } from '../tenantDescription/descriptionProblem';
import type { DescribedFields } from '../tenantDescription/requestFields';
import type { RequestPlace } from '../tenantDescription/requestSchema';
import { CREDENTIAL } from '../transport/context';

const withTenantFields = Object.values(operationsByResource)
	.flatMap((operations) => Object.values(operations))
	.filter(({ fields }) => fields.includes(tenantFields))
	.flatMap(({ endpoints }) => endpoints);

/**
 * The requests whose fields come from the tenant's description, because the interface documents none or only some of
 * them.
 */
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
