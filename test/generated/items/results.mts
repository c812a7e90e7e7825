import { expectNoFailures } from '../../engine/expectNone.mts';

/** Cases that are worked on at the same time. */
const LANES = 16;

/** What is wrong with a case, if anything, and whether what it is about happened. */
export interface Outcome {
	problem: string | undefined;
	isMet: boolean;
}

/** Cases by name: those that were met, and those that fail. Several cases may have the same name. */
export class Results {
	private readonly asked = new Set<string>();

	private readonly met = new Set<string>();

	private readonly failed = new Map<string, string>();

	/** Works on cases, several at a time. */
	async add<Case extends { name: string }>(
		cases: readonly Case[],
		outcomeOf: (one: Case) => Promise<Outcome>,
	): Promise<void> {
		let next = 0;
		const lane = async () => {
			while (next < cases.length) {
				const one = cases[next++];
				this.asked.add(one.name);
				const { problem, isMet } = await outcomeOf(one);
				if (isMet) this.met.add(one.name);
				if (problem !== undefined) this.failed.set(one.name, problem.split('\n')[0].slice(0, 160));
			}
		};
		await Promise.all(Array.from({ length: LANES }, lane));
	}

	/** Names of cases in which what they are about did not happen. */
	get vacuous(): string[] {
		return [...this.asked].filter((name) => !this.met.has(name));
	}

	/** Names of all cases. */
	get names(): string[] {
		return [...this.asked];
	}

	/** @throws Error that names the cases that fail, and why */
	expectNoFailures(): void {
		expectNoFailures(this.failed);
	}
}
