import { accountOperations } from './account.operations.mts';
import { agentOperations } from './agent.operations.mts';
import { customerOperations } from './customer.operations.mts';
import { fileOperations } from './file.operations.mts';
import { groupOperations } from './group.operations.mts';
import { mediaOperations } from './media.operations.mts';
import { messageOperations } from './message.operations.mts';
import type { OperationId, Operations } from './operation.mts';
import { profileOperations } from './profile.operations.mts';
import { settingsOperations } from './settings.operations.mts';
import { supportOperations } from './support.operations.mts';
import { tagOperations } from './tag.operations.mts';
import { templateOperations } from './template.operations.mts';
import { userOperations } from './user.operations.mts';

/** One handler per endpoint of the contract; the type does not let one be missing. */
export const tenantOperations: Operations<OperationId> = {
	...supportOperations,
	...accountOperations,
	...userOperations,
	...settingsOperations,
	...agentOperations,
	...customerOperations,
	...profileOperations,
	...tagOperations,
	...groupOperations,
	...fileOperations,
	...mediaOperations,
	...templateOperations,
	...messageOperations,
};
