import { accountOperations } from './account.operations';
import { agentOperations } from './agent.operations';
import { customerOperations } from './customer.operations';
import { fileOperations } from './file.operations';
import { groupOperations } from './group.operations';
import { mediaOperations } from './media.operations';
import { messageOperations } from './message.operations';
import type { OperationId, Operations } from './operation';
import { profileOperations } from './profile.operations';
import { settingsOperations } from './settings.operations';
import { supportOperations } from './support.operations';
import { tagOperations } from './tag.operations';
import { templateOperations } from './template.operations';
import { userOperations } from './user.operations';

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
