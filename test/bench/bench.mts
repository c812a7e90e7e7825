import { loadavg } from 'node:os';
import path from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Engines } from './engine/engine.mts';
import type { Job, JobNode } from './engine/job.mts';
import { Tenant } from './tenant/tenant.mts';
import { Workplace } from './workplace.mts';

export interface BenchOptions {
	/** Paired rounds that count; as many as the seconds of a measure allow, unless given. */
	rounds?: number;
	/** One round of small counts: shows that everything runs, not how fast. */
	quick: boolean;
	/** Folder for CPU profiles of the last rounds. */
	profiles?: string;
}

/** How long the contenders of a measure take turns. */
export interface Turns {
	/** After these the last round begins, at the latest. */
	seconds: number;
	/** Rounds that count in any case. */
	least?: number;
	/** Whether a round goes before that does not count. */
	warmUp?: boolean;
}

/** The most rounds of a measure: further ones hardly move a median. */
const MOST_ROUNDS = 5;

/** The least, for a median that one disturbed round does not make. */
const LEAST_ROUNDS = 3;

/** The part of the counts that a round of warm-up has. */
const WARM_UP = 3;

/** What all measures share. */
export class Bench {
	private people = 0;

	private isWarmUp = false;

	/** The fewest and the most rounds of all measures so far. */
	rounds = { least: Infinity, most: 0 };

	private constructor(
		readonly options: BenchOptions,
		readonly place: Workplace,
		readonly tenant: Tenant,
		readonly engines: Engines,
	) {}

	/** @param tarball the package to measure; this one unless given */
	static async start(options: BenchOptions, tarball?: string): Promise<Bench> {
		const place = await Workplace.prepare(tarball);
		return new Bench(options, place, await Tenant.start(), await Engines.prepare(place));
	}

	/** A count of a measure; less of it to warm up, and with `--quick`, which shows only that it runs. */
	scaled(count: number): number {
		return Math.ceil(count / (this.options.quick ? 10 : this.isWarmUp ? WARM_UP : 1));
	}

	/** People that no run before has had, since a phone number can be created only once. */
	newPeople(people: number): { people: number; first: number } {
		const first = this.people;
		this.people += people;
		return { people, first };
	}

	/** The credentials that our node and HTTP Request ask for. */
	get credentials(): Record<string, ICredentialDataDecryptedObject> {
		const { url, token } = this.tenant;
		return {
			customerMessagingApi: { tenantDomain: url, accessToken: token },
			httpBearerAuth: { token },
		};
	}

	/** Our node with these parameters. */
	ours(parameters: JobNode['parameters'], settings?: JobNode['settings']): JobNode {
		return { type: 'n8n-nodes-customer-messaging.customerMessaging', parameters, settings };
	}

	/** n8n's HTTP Request node on a path of the interface, with a bearer credential. */
	httpRequest(url: string, parameters: JobNode['parameters'], settings?: JobNode['settings']): JobNode {
		return {
			type: 'n8n-nodes-base.httpRequest',
			parameters: {
				url: `${this.tenant.baseUrl}${url}`,
				authentication: 'genericCredentialType',
				genericAuthType: 'httpBearerAuth',
				...parameters,
			},
			settings,
		};
	}

	/** A job with the credentials of both sides. */
	job(nodes: JobNode[], input: Job['input']): Job {
		return { nodes, input, credentials: this.credentials };
	}

	/**
	 * Runs the contenders in turns, one warm-up round first. Every other round runs them in the opposite order, since what ran
	 * before may help or hinder.
	 *
	 * @param contenders what each of them does in a round
	 * @returns each contender's results, round by round
	 */
	async inTurns<Name extends string, Result>(
		{ seconds, least = LEAST_ROUNDS, warmUp = true }: Turns,
		contenders: Record<Name, (profile: string | undefined) => Promise<Result>>,
		show: (result: Result) => string,
	): Promise<Record<Name, Result[]>> {
		const { quick, profiles, rounds } = this.options;
		const names = Object.keys(contenders) as Name[];
		const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
		const end = performance.now() + seconds * 1_000;
		const isOver = (round: number, took: number) =>
			round > (rounds ?? Math.max(MOST_ROUNDS, least)) ||
			(rounds === undefined && round > least && performance.now() + took > end);
		let took = 0;
		let round = warmUp && !quick ? 0 : 1;
		for (; !isOver(round, took); round++) {
			const startedAt = performance.now();
			const line: string[] = [];
			this.isWarmUp = round === 0;
			for (const name of round % 2 === 0 ? names : names.toReversed()) {
				const profile =
					profiles !== undefined && round === rounds
						? path.resolve(profiles, `${name}-${Date.now()}.cpuprofile`)
						: undefined;
				const result = await contenders[name](profile);
				line.push(`${name} ${show(result)}`);
				if (round > 0) results[name].push(result);
			}
			took = performance.now() - startedAt;
			const load = loadavg()[0].toFixed(1);
			say(`  ${round === 0 ? 'warm-up' : `round ${round}`}: ${line.join(' | ')}   (load ${load})`);
		}
		this.rounds = {
			least: Math.min(this.rounds.least, round - 1),
			most: Math.max(this.rounds.most, round - 1),
		};
		return results;
	}

	async stop(): Promise<void> {
		await Promise.all([this.engines.stopAll(), this.tenant.stop()]);
		await this.place.remove();
	}
}

export function say(text: string): void {
	console.log(text);
}
