import type { RequestContext } from '../transport/context';
import { nodeRunOf } from '../transport/nodeRun';

/** Time for which a reading is kept before the next one. */
const KEPT_MS = 5 * 60_000;

/** Time before the next reading after a failed one. It is long enough for all requests that one opened node makes. */
const PROBLEM_KEPT_MS = 10_000;

/** Maximum number of tenant and token pairs whose readings are kept. */
const MAX_KEPT = 50;

/** What the editor has read of a tenant. All calls with the same tenant and token within five minutes share one reading. */
export class KeptReadings<Reading> {
	private readonly readings = new Map<string, { until: number; reading: Promise<Reading> }>();

	/** @param isProblem whether a reading failed, so that it is soon repeated */
	constructor(private readonly isProblem: (reading: Reading) => boolean) {}

	/** @param read reads; it never rejects */
	async of(context: RequestContext, read: () => Promise<Reading>): Promise<Reading> {
		const { tenantKey: key } = await nodeRunOf(context);
		const now = Date.now();
		let kept = this.readings.get(key);
		if (!kept || kept.until < now) {
			kept = { until: now + KEPT_MS, reading: read() };
			this.readings.delete(key);
			this.readings.set(key, kept);
			const [oldest] = this.readings.keys();
			if (this.readings.size > MAX_KEPT) this.readings.delete(oldest);
		}
		const found = await kept.reading;
		if (this.isProblem(found)) kept.until = Math.min(kept.until, Date.now() + PROBLEM_KEPT_MS);
		return found;
	}
}
