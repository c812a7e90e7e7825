import type { NodeApiError } from 'n8n-workflow';

import { toNodeError } from '../../nodes/CustomerMessaging/api/errors.ts';
import { cut } from '../../nodes/CustomerMessaging/values/text.ts';
import { nodeOf } from '../engine/otherNodes.mts';

/** What was thrown, as the error of n8n that leaves the run. */
export const told = (thrown: unknown): NodeApiError =>
	toNodeError(nodeOf('Node', 'test.node'), thrown, cut) as NodeApiError;
