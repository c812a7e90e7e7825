import type { INodeExecutionData, IPollFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Api, RunContext } from '../api/client';
import { MAX_MESSAGE, withoutMarkup } from '../api/errors';
import { isObject } from '../values/json';
import { quote, stringOf } from '../values/text';
import { IS_ERROR } from './errorItems';

const MIN_TOLD_MS = 1000;

const inDigits = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 0 });

const inRequests = (count: number) => `${inDigits(count)} ${count === 1 ? 'request' : 'requests'}`;

/**
 * Tells that the user behind the token sees only some customers, if the content of `GET /me` shows it: "The role admin gives access
 * to all customers". Without roles, or with one that may be another name of admin, it claims nothing.
 */
export function limitedView({ redact }: Pick<Api, 'redact'>, user: unknown): string | undefined {
	const { name, roles, is_admin: isAdmin } = isObject(user) ? user : {};
	const isShown = Array.isArray(roles) && roles.length > 0 && isAdmin !== true;
	if (!isShown || !roles.every((role) => typeof role === 'string' && !/admin/i.test(role))) return undefined;
	const who = stringOf(name).trim() ? quote(name) : 'The user behind the access token';
	return withoutMarkup(redact(`${who} sees only the customers attached to them.`, MAX_MESSAGE));
}

/** Asks once a run for the user behind the token, and tells the same. Nothing fails because of it. */
export const findLimitedView = async (api: Api): Promise<string | undefined> =>
	await api.once(findLimitedView, async () => {
		const response = await api.send({ url: '/me' }).catch(() => undefined);
		return (api.limitedView = limitedView(api, response?.content));
	});

/** Logs why customers may seem to be missing. */
export async function logLimitedView(context: RunContext<IPollFunctions>): Promise<void> {
	const view = await findLimitedView(context.api);
	if (view) context.logger.info(`"${context.getNode().name}": ${view}`);
}

/** Returns the hints about a run, which n8n shows above its output. */
export function hintsOf(
	inputs: number,
	outputs: INodeExecutionData[],
	api: Pick<Api, 'cutLists' | 'limitedView' | 'notes' | 'redact' | 'waited'>,
	conclusion?: string,
): NodeExecutionHint[] {
	const { cutLists, limitedView: view, notes, redact, waited } = api;
	const show = (words: string) => withoutMarkup(redact(words, MAX_MESSAGE));
	let failed = 0;
	// What has a result is counted by its operation.
	for (const item of outputs) if (IS_ERROR in item && item.json.result === undefined) failed++;
	const counts = [...(failed > 0 ? [['failed', failed] as const] : []), ...notes];
	const kindOf = (what: string) => what.replace(/".*"/s, '…');
	const hints = counts.map(([what, count]): NodeExecutionHint => {
		const message = `${inDigits(count)} of ${inDigits(inputs)} items ${show(what)}.`;
		const key = kindOf(what);
		// Several of one kind would fill the pane.
		const isRepeated = counts.some(([other]) => other !== what && kindOf(other) === key);
		const group = isRepeated && { group: { key, summary: `{count} times: items ${key}`, label: show(what) } };
		return { message, location: 'outputPane', type: 'warning', ...group };
	});
	for (const words of [conclusion, view])
		if (words) hints.push({ message: show(words), location: 'outputPane', type: 'info' });
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
