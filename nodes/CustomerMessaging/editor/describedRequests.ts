import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import { tenantFields } from '../fields/tenantFields';
import { operationsByResource } from '../resources/operations';
import { describedFields } from '../tenantDescription/describedFields';
import type { RequestPlace } from '../tenantDescription/requestSchema';

const withTenantFields = Object.values(operationsByResource)
	.flatMap((operations) => Object.values(operations))
	.filter(({ fields }) => fields.includes(tenantFields))
	.flatMap(({ endpoints }) => endpoints);

/** The requests whose fields are read from the tenant's description, since the interface shows none or not all of them. */
const DESCRIBED_REQUESTS: RequestPlace[] = [
	...withTenantFields.map((endpoint) => ({ endpoint })),
	{ endpoint: 'POST /conversations/{conversationId}/messages' },
	{ endpoint: 'POST /customers/bulk-import', within: ['customers', 'profile'] },
];

/** The fields that the tenant's own description names for one of these requests, or why there are none. */
export async function fieldsOfRequest(context: ILoadOptionsFunctions, endpoint: Endpoint) {
	return await describedFields(context, endpoint, DESCRIBED_REQUESTS);
}
