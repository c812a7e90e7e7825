import { inspect, types } from 'node:util';

import { Logger } from '@n8n/backend-common';
import { stringify } from 'flatted';

import type { NodeRun } from './engine.mts';

/** Shorter secrets stand in ordinary text by chance. */
const MIN_SECRET_LENGTH = 8;

/** At most so many characters of a place are shown. */
const MAX_PLACE_LENGTH = 160;

/** Base64 takes three bytes at a time: what a secret looks like depends on how many bytes stand in front of it. */
function base64Within(secret: string): string[] {
	const length = Buffer.byteLength(secret);
	return [0, 1, 2].map((before) => {
		const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString('base64');
		// Characters that also hold bits of a neighbour are left out.
		return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + length) * 8) / 6));
	});
}

/** How a secret may be written, by a name for it. */
function spellingsOf(secret: string): Array<[name: string, written: string]> {
	if (secret.length < MIN_SECRET_LENGTH)
		throw new Error(`Choose a secret of at least ${MIN_SECRET_LENGTH} characters`);
	const json = JSON.stringify(secret).slice(1, -1);
	const spellings: Array<[string, string]> = [
		['as it is', secret],
		['URL-encoded', encodeURIComponent(secret)],
		['URL-encoded', encodeURI(secret)],
		['URL-encoded', String(new URLSearchParams({ a: secret })).slice(2)],
		['JSON-escaped', json],
		['JSON-escaped twice', JSON.stringify(json).slice(1, -1)],
		...base64Within(secret).flatMap(
			(written): Array<[string, string]> => [
				['in Base64', written],
				['in Base64', written.replaceAll('+', '-').replaceAll('/', '_')],
			],
		),
	];
	return spellings.filter(
		([, written], index) => spellings.findIndex(([, other]) => other === written) === index,
	);
}

/** Reads a member, also one that is computed. */
function memberOf(owner: object, key: PropertyKey): unknown {
	try {
		return Reflect.get(owner, key, owner) as unknown;
	} catch (error) {
		return error;
	}
}

/** The members of an object: hidden ones, those named by symbols, and those computed by its class. */
function keysOf(owner: object): PropertyKey[] {
	const keys = new Set<PropertyKey>(Reflect.ownKeys(owner));
	for (
		let prototype = Object.getPrototypeOf(owner) as object | null;
		prototype !== null && Object.getPrototypeOf(prototype) !== null;
		prototype = Object.getPrototypeOf(prototype) as object | null
	) {
		for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
			if (get) keys.add(key);
	}
	return [...keys];
}

/** Every text that can be reached from a value, with the way to it. Bytes count as text. */
function* textsIn(
	value: unknown,
	place: string,
	seen: Set<unknown>,
): Generator<[place: string, text: string]> {
	if (typeof value === 'string') yield [place, value];
	if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
	seen.add(value);
	if (ArrayBuffer.isView(value)) {
		yield [place, Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')];
		return;
	}
	if (types.isMap(value)) {
		for (const [key, member] of value) {
			yield* textsIn(key, `${place}.(key)`, seen);
			yield* textsIn(member, `${place}.(${String(key)})`, seen);
		}
	}
	if (types.isSet(value)) for (const member of value) yield* textsIn(member, `${place}.(member)`, seen);
	for (const key of keysOf(value)) {
		if (typeof key === 'string') yield [`${place}.(name of a member)`, key];
		yield* textsIn(memberOf(value, key), `${place}.${String(key)}`, seen);
	}
}

/** What Node.js prints of a value when it is asked for all of it. */
function printed(value: unknown): string {
	return inspect(value, {
		depth: Infinity,
		showHidden: true,
		getters: true,
		maxArrayLength: null,
		maxStringLength: null,
		breakLength: Infinity,
	});
}

/** The forms in which n8n writes a value down: flatted into its database, JSON everywhere else. */
function written(value: unknown): string[] {
	return [stringify, JSON.stringify].map((write) => {
		try {
			return String(write(value));
		} catch {
			// JSON knows no circles.
			return '';
		}
	});
}

/**
 * Where a value holds a secret, however deep and in whatever spelling.
 *
 * @param name what the value is, for the places
 * @returns one line for each place, such as "error.cause.config.headers: as it is"; none when the secret is nowhere
 */
export function leaksIn(value: unknown, secret: string, name = 'value'): string[] {
	const spellings = spellingsOf(secret);
	const spelledIn = (text: string) => spellings.find(([, spelling]) => text.includes(spelling))?.[0];
	const found = new Set<string>();
	for (const [place, text] of textsIn(value, name, new Set())) {
		const spelling = spelledIn(text);
		if (spelling !== undefined) found.add(`${place.slice(-MAX_PLACE_LENGTH)}: ${spelling}`);
	}
	if (found.size > 0) return [...found];
	const forms: Array<[string, string]> = [
		['printed', printed(value)],
		...written(value).map((text): [string, string] => ['written down', text]),
	];
	return forms.flatMap(([form, text]) => {
		const spelling = spelledIn(text);
		return spelling === undefined ? [] : [`${name}, ${form}: ${spelling}`];
	});
}

/** Everything that is logged while a test runs, whatever the level. */
export class LogWatch {
	readonly lines: unknown[][] = [];

	private start(): void {
		this.lines.splice(0);
		const keep = (...words: unknown[]) => void this.lines.push(words);
		// Each of n8n's loggers, scoped or not, passes this way.
		jest.spyOn(Logger.prototype as unknown as { log: typeof keep }, 'log').mockImplementation(keep);
		for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const)
			jest.spyOn(console, method).mockImplementation(keep);
	}

	static inEachTest(): LogWatch {
		const log = new LogWatch();
		beforeEach(() => log.start());
		afterEach(() => jest.restoreAllMocks());
		return log;
	}
}

/**
 * Where a run of the node holds a secret: in its error, its items, anything that n8n stores of it, or the log.
 *
 * @param log what was logged meanwhile
 */
export function leaksOfRun(run: NodeRun, secret: string, log?: LogWatch): string[] {
	const { error, items, errorItems, run: stored, staticData } = run;
	return leaksIn({ error, items, errorItems, run: stored, staticData, log: log?.lines }, secret, 'all');
}
