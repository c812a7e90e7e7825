import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { furtherFields, importColumns } from '../customerImport/columns';
import { fieldsOfRequest } from './describedRequests';
import { missingFieldsNotice, savedFields } from './tenantFields';

/**
 * The columns of a bulk import: those of the interface, and the fields of a profile that the tenant describes besides.
 *
 * Where the description cannot be read, those that are in the workflow stay.
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
				defaultMatch: false,
				display: true,
				canBeUsedToMatch: false,
			})),
			// Not shown until they are added: n8n maps a switch that is shown to false, which would be sent for every row.
			...furtherFields(further).map((field) => ({ ...field, required: false, removed: true })),
		],
		...('problem' in found && { emptyFieldsNotice: missingFieldsNotice(found.problem) }),
	};
}
