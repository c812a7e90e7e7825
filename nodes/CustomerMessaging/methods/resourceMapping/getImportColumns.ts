import type { ResourceMapperFields } from 'n8n-workflow';

import { importColumns } from '../../shared/importColumns';

/** The columns of a bulk import. */
export async function getImportColumns(): Promise<ResourceMapperFields> {
	return {
		fields: importColumns.map(({ id, displayName, type = 'string', required = false }) => ({
			id,
			displayName,
			type,
			required,
			defaultMatch: false,
			display: true,
			canBeUsedToMatch: false,
		})),
	};
}
