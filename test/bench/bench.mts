import { loadavg } from 'node:os';

import type { INode, INodeParameters } from 'n8n-workflow';

import {
	Engine,
	type Job,
	type JobInput,
	type JobNode,
	prepareWorkplace,
	type Workplace,
} from './engine.mts';
import { startTenant } from './tenant.mts';

/** How long the contenders of a measure take turns. */
interface Turns {
	/** After these the last round begins, at the latest. */
	seconds: number;
	/** Rounds that count in any case: a median of three is not made by one disturbed round. */
	least?: number;
	/** Whether a round of a third of the counts goes before. */
	warmUp?: boolean;
}

/** The most rounds of a measure: further ones hardly move a median. */
const MOST_ROUNDS = 5;

/** What all measures share. */
export class Bench {
	private people = 0;

	private isWarmUp = false;

	/** The fewest and the most rounds of all measures so far. */
	rounds = [Infinity, 0];

	private constructor(
		/** One round of small counts: shows that everything runs, not how fast. */
		private readonly isQuick: boolean,
		readonly place: Workplace,
		readonly tenant: Awaited<ReturnType<typeof startTenant>>,
	) {}

	static async start(isQuick: boolean): Promise<Bench> {
		return new Bench(isQuick, await prepareWorkplace(), await startTenant());
	}

	/** A count of a measure; less of it to warm up, and with `--quick`. */
	scaled(count: number): number {
		return Math.ceil(count / (this.isQuick ? 10 : this.isWarmUp ? 3 : 1));
	}

	/** People that no run before has had, since a phone number can be created only once. */
	newPeople(count: number): { people: number; first: number } {
		const people = this.scaled(count);
		const first = this.people;
		this.people += people;
		return { people, first };
	}

	/** Our node with these parameters. */
	ours(parameters: INodeParameters, settings?: Partial<INode>): JobNode {
		return { type: 'n8n-nodes-customer-messaging.customerMessaging', parameters, settings };
	}

	/** n8n's HTTP Request node on a path of the interface, with a bearer credential. */
	httpRequest(path: string, parameters: INodeParameters, settings?: Partial<INode>): JobNode {
		const url = `${this.tenant.baseUrl}${path}`;
		const login = { authentication: 'genericCredentialType', genericAuthType: 'httpBearerAuth' };
		return { type: 'n8n-nodes-base.httpRequest', parameters: { url, ...login, ...parameters }, settings };
	}

	/** A job with the credentials of both sides. */
	job(nodes: JobNode[], input: JobInput = { people: 1, first: 0 }): Job {
		const { url: tenantDomain, token } = this.tenant;
		const credentials = {
			customerMessagingApi: { tenantDomain, accessToken: token },
			httpBearerAuth: { token },
		};
		return { nodes, input, credentials };
	}

	async withEngine<Result>(use: (engine: Engine) => Promise<Result>): Promise<Result> {
		const engine = new Engine(this.place);
		try {
			return await use(engine);
		} finally {
			await engine.stop();
		}
	}

	/** Runs a node for new people, and tells what the tenant saw of it. */
	async write(engine: Engine, node: JobNode, count: number, perItem?: number) {
		const input = { ...this.newPeople(count), perItem };
		this.tenant.traffic();
		const result = await engine.call('run', this.job([node], input));
		return { ...result, ...this.tenant.traffic(), people: input.people };
	}

	/** Runs a job in a process of its own, after a small one that loads what is loaded at first use. */
	async runAlone(warmUp: Job, job: Job, leastItems: number) {
		const result = await this.withEngine(async (engine) => {
			await engine.call('run', warmUp);
			return await engine.call('run', job);
		});
		if (result.failed > 0 || result.items < leastItems)
			throw new Error(`There are ${result.items} items, not ${leastItems}. ${result.error ?? ''}`);
		return { seconds: result.milliseconds / 1_000, megabytes: result.megabytes };
	}

	/**
	 * Runs the contenders in turns. Every other round runs them in the opposite order, since what ran before may help or hinder.
	 *
	 * @param contenders what each of them does in a round
	 * @returns each contender's results, round by round
	 */
	async inTurns<Name extends string, Result>(
		{ seconds, least = 3, warmUp = true }: Turns,
		contenders: Record<Name, () => Promise<Result>>,
		show: (result: Result) => string,
	): Promise<Record<Name, Result[]>> {
		const names = Object.keys(contenders) as Name[];
		const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
		const end = performance.now() + seconds * 1_000;
		let round = warmUp && !this.isQuick ? 0 : 1;
		let took = 0;
		const isWanted = () =>
			this.isQuick
				? round === 1
				: round <= least || (round <= MOST_ROUNDS && performance.now() + took <= end);
		for (; isWanted(); round++) {
			const startedAt = performance.now();
			const line: string[] = [];
			this.isWarmUp = round === 0;
			for (const name of round % 2 === 0 ? names : names.toReversed()) {
				const result = await contenders[name]();
				line.push(`${name} ${show(result)}`);
				if (round > 0) results[name].push(result);
			}
			took = performance.now() - startedAt;
			console.log(`  round ${round}: ${line.join(' | ')}   (load ${loadavg()[0].toFixed(1)})`);
		}
		const [fewest, most] = this.rounds;
		this.rounds = [Math.min(fewest, round - 1), Math.max(most, round - 1)];
		return results;
	}

	async stop(): Promise<void> {
		await this.tenant.stop();
		await this.place.remove();
	}
}
