import { askSandbox, type Asked, type OwnAnswer } from '../control/ownRequests.mts';
import { stringOf } from '../texts.mts';
import { type Har, type HarContent, type HarEntry, pathOf } from './har.mts';

/** An answer that is another one than when the session was recorded. */
export interface Difference {
	/** Which request, counted from 1. */
	request: number;
	method: string;
	path: string;
	/** `status`, or where in the body, such as `data.0.title`. */
	where: string;
	was: unknown;
	is: unknown;
}

export interface Replay {
	/** How many requests were sent. */
	requests: number;
	differences: Difference[];
}

/** What is not compared unless it is asked for: times, and ids with the addresses made of them. */
export const IGNORED = ['times', 'ids'];

/** What is left out by name, as a schema: a comma between several would make a name that nothing has. */
export const IGNORED_NAME = {
	type: 'string',
	pattern: '^[^\\s,]+$',
	title: 'times, ids or the name of one member',
};

/** So many are told of one answer. */
const MAX_DIFFERENCES = 20;

/** What belongs to a connection, or is made anew. */
const NOT_SENT = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'expect'];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const TIME_NAME = /(^now|_at|_ms)$/;
const ID_NAME = /(^|_)(ids?|uuid)$/;

type Found = Pick<Difference, 'is' | 'was' | 'where'>;

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** An address without what differs from one run to another. */
const plain = (text: string, ignoresIds: boolean) => {
	const local = text.replace(/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?/, '');
	return ignoresIds ? local.replace(UUID, '{uuid}').replace(/expires=\d+&signature=[\w-]+/, '') : local;
};

/** Compares values, and learns what is called otherwise in this run. */
class Comparison {
	readonly found: Found[] = [];

	constructor(
		private readonly ignored: string[],
		private readonly renamed: Map<string, string>,
	) {}

	compare(was: unknown, is: unknown, where: string[] = []): void {
		const name = where.at(-1) ?? '';
		if (typeof was === 'string' && typeof is === 'string') this.learn(was, is);
		if (this.ignored.includes(name) || this.isSame(was, is, name)) return;
		if (!isObject(was) || !isObject(is) || Array.isArray(was) !== Array.isArray(is)) {
			this.found.push({ where: where.join('.') || 'body', was, is });
			return;
		}
		for (const member of new Set([...Object.keys(was), ...Object.keys(is)])) {
			this.compare(was[member], is[member], [...where, member]);
		}
	}

	private isSame(was: unknown, is: unknown, name: string): boolean {
		if (was === is) return true;
		if (typeof was !== typeof is || isObject(was) || was === undefined) return false;
		const ignoresIds = this.ignored.includes('ids');
		if (ignoresIds && ID_NAME.test(name)) return true;
		const isTime = TIME_NAME.test(name) || (TIME.test(stringOf(was)) && TIME.test(stringOf(is)));
		if (this.ignored.includes('times') && isTime) return true;
		return typeof was === 'string' && plain(was, ignoresIds) === plain(stringOf(is), ignoresIds);
	}

	/** UUIDs and signed addresses are made by chance: later requests mean those of this run. */
	private learn(was: string, is: string): void {
		if (URL.canParse(was) && URL.canParse(is)) {
			const [before, now] = [new URL(was), new URL(is)];
			if (before.search !== '') this.renamed.set(before.pathname + before.search, now.pathname + now.search);
		}
		const now = is.match(UUID) ?? [];
		for (const [place, uuid] of (was.match(UUID) ?? []).entries())
			if (now[place]) this.renamed.set(uuid, now[place]);
	}
}

function bodyOf(answer: OwnAnswer, { mimeType, encoding, text: was }: HarContent): [unknown, unknown] {
	const is = answer.body.toString(encoding ?? 'utf8');
	// A stream is not recorded.
	if (was === undefined) return [undefined, undefined];
	const parse = (json: string): unknown => {
		try {
			return JSON.parse(json);
		} catch {
			return json;
		}
	};
	return mimeType.includes('json') ? [parse(was), parse(is)] : [was, is];
}

/** A header with tokens in place of their names. In bodies, such names are placeholders of templates. */
function withTokens(text: string, { token: admin, userToken: user, controlToken: control }: Asked): string {
	const names = { admin, user, control };
	return text.replace(/\{\{(admin|user|control)\}\}/g, (name, of: keyof typeof names) => names[of] ?? name);
}

/** A part of a request as it is meant in this run. Addresses go before the UUIDs in them. */
const inThisRun = (text: string, renamed: Map<string, string>): string =>
	[...renamed]
		.sort(([one], [other]) => other.length - one.length)
		.reduce((some, [was, is]) => some.replaceAll(was, is), text);

/**
 * Sends the requests of a session again, one after another as they began, and compares the answers.
 * @param ignored what is not compared: `times`, `ids`, and names of members
 */
export async function replay(har: Har, sandbox: Asked, ignored: string[] = IGNORED): Promise<Replay> {
	const renamed = new Map<string, string>();
	const differences: Difference[] = [];
	const entries = har.log.entries
		.filter((entry) => /^\/(third-party|files|sandbox)\//.test(pathOf(entry)))
		.sort((one, other) => Date.parse(one.startedDateTime) - Date.parse(other.startedDateTime));
	for (const [index, entry] of entries.entries()) {
		const answer = await send(entry, sandbox, renamed);
		const comparison = new Comparison(ignored, renamed);
		const { status, content } = entry.response;
		if (answer?.status === status) comparison.compare(...bodyOf(answer, content));
		else if (answer || status !== 0)
			comparison.found.push({ where: 'status', was: status, is: answer?.status ?? 0 });
		const { method } = entry.request;
		const which = { request: index + 1, method, path: pathOf(entry) };
		differences.push(...comparison.found.slice(0, MAX_DIFFERENCES).map((found) => ({ ...which, ...found })));
	}
	return { requests: entries.length, differences };
}

/** @returns undefined when the connection was closed without an answer */
async function send(
	entry: HarEntry,
	sandbox: Asked,
	renamed: Map<string, string>,
): Promise<OwnAnswer | undefined> {
	const { method, headers, postData } = entry.request;
	const sent = headers
		.filter(({ name }) => !name.startsWith(':') && !NOT_SENT.includes(name.toLowerCase()))
		.map(({ name, value }) => [name.toLowerCase(), inThisRun(withTokens(value, sandbox), renamed)] as const);
	const { controlToken } = sandbox;
	if (controlToken !== undefined && sent.some(([name]) => name === 'x-sandbox-fault'))
		sent.push(['x-sandbox-token', controlToken]);
	const text = postData?.text;
	const body =
		postData?.encoding === 'base64'
			? Buffer.from(text ?? '', 'base64')
			: text && Buffer.from(inThisRun(text, renamed));
	return await askSandbox(sandbox, {
		method,
		path: inThisRun(pathOf(entry), renamed),
		as: 'nobody',
		headers: Object.fromEntries(sent),
		...(body && { body }),
	}).catch(() => undefined);
}

/** The outcome in lines for people. */
export function described({ requests, differences }: Replay): string {
	const lines = differences.map(
		({ request, method, path, where, was, is }) =>
			`  ${request}. ${method} ${path}: ${where} was ${JSON.stringify(was)}, is ${JSON.stringify(is)}`,
	);
	const counted = (count: number, name: string) => `${count || 'no'} ${name}${count === 1 ? '' : 's'}`;
	const outcome = counted(differences.length, 'difference');
	return [`Replayed ${counted(requests, 'request')}: ${outcome}.`, ...lines].join('\n');
}
