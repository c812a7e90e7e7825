import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { isErrorItem } from '../transport/errors';
import type { NodeRun } from '../transport/nodeRun';

/** A shorter wait is not worth a hint. */
const MIN_TOLD_MS = 1000;

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/**
 * Returns the hints about a run of the node, which n8n shows above its output.
 *
 * @param inputs number of input items
 * @param outputs output items
 * @param nodeRun undefined if the credential is unusable
 * @param conclusion what the operation tells of all items together
 */
export function hintsOf(
	inputs: number,
	outputs: INodeExecutionData[],
	nodeRun: Pick<NodeRun, 'outcomes' | 'waited'> | undefined,
	conclusion?: string,
): NodeExecutionHint[] {
	const failed = outputs.filter(isErrorItem).length;
	const counts = [...(failed > 0 ? [['failed', failed] as const] : []), ...(nodeRun?.outcomes ?? [])];
	const hints = counts.map(([what, count]): NodeExecutionHint => {
		const message = `${number.format(count)} of ${number.format(inputs)} items ${what}.`;
		return { message, location: 'outputPane', type: 'warning' };
	});
	if (conclusion !== undefined) hints.push({ message: conclusion, location: 'outputPane', type: 'info' });
	const { requests, milliseconds } = nodeRun?.waited ?? { requests: 0, milliseconds: 0 };
	if (milliseconds >= MIN_TOLD_MS) {
		const message = `${number.format(requests)} ${requests === 1 ? 'request' : 'requests'} waited for the tenant, ${number.format(milliseconds / 1000)} s in all.`;
		hints.push({ message, location: 'outputPane', type: 'info' });
	}
	return hints;
}
