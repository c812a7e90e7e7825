import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { furtherFields, importColumns } from '../customerImport/customerColumns';
import { fieldsOfRequest } from './describedRequests';
import { missingFieldsNotice, savedFields } from './tenantFields';

/**
 * Returns the columns of a bulk import: those of the interface, and further profile fields that the tenant describes.
 *
 * If the description is unreadable, the further columns in the workflow stay.
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
			// These columns are hidden until the user adds them. n8n maps a visible boolean to false, and the import would
			// send that for every row.
			...furtherFields(further).map((field) => ({ ...field, required: false, removed: true })),
		],
		...('problem' in found && { emptyFieldsNotice: missingFieldsNotice(found.problem) }),
	};
}
