import { checkTenantAccess } from './checkTenantAccess';
import { getImportColumns, getTenantFields } from './resourceMapping';
import { getTemplateText, getTemplateVariables } from './templateVariables';

export { withoutExpressions } from './lists';
export { listSearch } from './listSearch';
export { loadOptions } from './loadOptions';

export const credentialTest = { checkTenantAccess };

export const resourceMapping = { getImportColumns, getTemplateText, getTemplateVariables, getTenantFields };
