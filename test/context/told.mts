import type { INode, NodeApiError } from 'n8n-workflow';

import { nodeErrorOf } from '../../nodes/CustomerMessaging/api/errors.ts';
import type { Redact } from '../../nodes/CustomerMessaging/api/redact.ts';
import { cut } from '../../nodes/CustomerMessaging/values/text.ts';
import { nodeOf } from '../engine/otherNodes.mts';

/** The error of n8n that leaves a run of a node. */
export const toNodeError = (node: INode, thrown: unknown, redact: Redact, itemIndex?: number) =>
	nodeErrorOf({ api: { context: { getNode: () => node }, redact } }, thrown, itemIndex);

/** What was thrown, as the error of n8n that leaves the run. */
export const told = (thrown: unknown): NodeApiError =>
	toNodeError(nodeOf('Node', 'test.node'), thrown, cut) as NodeApiError;
