import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import type { Api } from '../api/client';
import { MAX_MESSAGE, withoutMarkup } from '../api/errors';
import { IS_ERROR } from './errorItems';

const MIN_TOLD_MS = 1000;

const inDigits = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 0 });

const inRequests = (count: number) => `${inDigits(count)} ${count === 1 ? 'request' : 'requests'}`;

/** Returns the hints about a run, which n8n shows above its output. */
export function hintsOf(
	inputs: number,
	outputs: INodeExecutionData[],
	{ cutLists, notes, redact, waited }: Pick<Api, 'cutLists' | 'notes' | 'redact' | 'waited'>,
	conclusion?: string,
): NodeExecutionHint[] {
	const show = (words: string) => withoutMarkup(redact(words, MAX_MESSAGE));
	let failed = 0;
	// What has a result is counted by its operation.
	for (const item of outputs) if (IS_ERROR in item && item.json.result === undefined) failed++;
	const counts = [...(failed > 0 ? [['failed', failed] as const] : []), ...notes];
	const hints = counts.map(([what, count]): NodeExecutionHint => {
		const message = `${inDigits(count)} of ${inDigits(inputs)} items ${show(what)}.`;
		return { message, location: 'outputPane', type: 'warning' };
	});
	if (conclusion !== undefined)
		hints.push({ message: show(conclusion), location: 'outputPane', type: 'info' });
	if (cutLists > 0) {
		const ended = cutLists === 1 ? 'The list ended' : `${inDigits(cutLists)} lists ended`;
		const message = `${ended} at Limit, and there may be more. To get everything, switch on Return All.`;
		hints.push({ message, location: 'outputPane', type: 'info' });
	}
	const { requests, milliseconds } = waited;
	if (milliseconds >= MIN_TOLD_MS) {
		const message = `${inRequests(requests)} waited for the service, ${inDigits(milliseconds / 1000)} s in all.`;
		hints.push({ message, location: 'outputPane', type: 'info' });
	}
	return hints;
}
