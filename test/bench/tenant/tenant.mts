import path from 'node:path';

import { Child } from '../calls.mts';
import type { TenantApi } from './tenant.child.mts';

/** The sandbox in a process of its own, so that its work is not counted as the nodes'. */
export class Tenant {
	private constructor(
		private readonly child: Child<TenantApi>,
		readonly url: string,
		readonly token: string,
	) {}

	static async start(): Promise<Tenant> {
		const child = await Child.start<TenantApi>({
			name: 'The sandbox',
			script: path.join(import.meta.dirname, 'tenant.child.mts'),
			nodeOptions: ['--import', 'tsx'],
		});
		const { url, token } = await child.call('address');
		return new Tenant(child, url, token);
	}

	/** Base URL of the interface. */
	get baseUrl(): string {
		return `${this.url}/third-party/v1`;
	}

	/** Answers every request later by so many milliseconds; at once with 0. */
	async setLatency(ms: number): Promise<void> {
		await this.child.call('faults', ms > 0 ? [{ kind: 'latency', ms }] : []);
	}

	/** Answers part of the requests with 429; the same ones of each run. */
	async limitRate(probability: number, retryAfter: number): Promise<void> {
		await this.child.call('faults', [{ kind: 'rate-limit', probability, retryAfter }]);
	}

	/** Takes so many requests per second, from a bucket of as many, and answers 429 to the others. */
	async limitPerSecond(perSecond: number, quotaHeaders: boolean): Promise<void> {
		await this.child.call('faults', [{ kind: 'rate-limit', perSecond, quotaHeaders }]);
	}

	async seed(profiles: number): Promise<void> {
		await this.child.call('seed', profiles);
	}

	async reset(): Promise<void> {
		await this.child.call('reset');
	}

	/** What has arrived since the last time this was asked. */
	async traffic() {
		return await this.child.call('traffic');
	}

	async stop(): Promise<void> {
		await this.child.stop();
	}
}
