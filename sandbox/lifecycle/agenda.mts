import { HOUR } from '../clock.mts';
import type { Plan, PlanKind } from '../resources/plan.mts';
import type { Store } from '../store/store.mts';

/** Node.js cannot wait longer than 24 days at once. */
const MAX_WAIT_MS = HOUR;

/** Carries out plans when their time has come on the tenant's clock; what came due while nothing ran, at the start. */
export class Agenda {
	private timer: NodeJS.Timeout | undefined;

	private isRunning = false;

	/** @param work what is done with a plan of each kind, together with its deletion or not at all */
	constructor(
		private readonly store: Store,
		private readonly work: Record<PlanKind, (plan: Plan) => void>,
	) {
		store.clock.onMove(() => this.catchUp());
	}

	start(): void {
		this.isRunning = true;
		this.catchUp();
	}

	add(plan: Omit<Plan, 'id'>): void {
		this.store.plans.add(plan);
		if (this.isRunning) this.wait();
	}

	stop(): void {
		this.isRunning = false;
		clearTimeout(this.timer);
	}

	/** Carries out at once what is due. */
	private catchUp(): void {
		if (!this.isRunning) return;
		const { plans, database, clock } = this.store;
		for (const plan of plans.due(clock.now())) {
			// The work of an earlier one may have given it up.
			database.transaction(() => {
				if (plans.delete(plan.id)) this.work[plan.kind](plan);
			});
		}
		this.wait();
	}

	private wait(): void {
		clearTimeout(this.timer);
		const next = this.store.plans.nextDue();
		if (next === undefined) return;
		const left = Math.max(0, next - this.store.clock.now());
		this.timer = setTimeout(() => this.catchUp(), Math.min(Math.ceil(left), MAX_WAIT_MS)).unref();
	}
}
