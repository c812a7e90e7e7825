import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type RecordedRequest, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';
import { type NodeRun, type NodeRunOptions, runNode } from './engine';

/** A request that reached the tenant, with its body as text. */
export interface SentRequest extends Omit<RecordedRequest, 'body'> {
	body: string;
}

/** A sandbox tenant for one test file, back to its demo data before each test. */
export class TestTenant {
	private running: Sandbox | undefined;

	get sandbox(): Sandbox {
		if (!this.running) throw new Error('The sandbox runs only inside tests');
		return this.running;
	}

	/** What a credential for this tenant holds. */
	get credentials(): ICredentialDataDecryptedObject {
		return { tenantDomain: this.sandbox.url, accessToken: this.sandbox.token };
	}

	/** Runs the compiled node with this tenant's credential. */
	async run(
		parameters: NodeRunOptions['parameters'],
		options: Partial<NodeRunOptions> = {},
	): Promise<NodeRun> {
		return await runNode({ credentials: this.credentials, ...options, parameters });
	}

	/** The requests that have arrived since the test began, as "METHOD /path" with everything else beside. */
	sent(): SentRequest[] {
		return this.sandbox
			.requests()
			.map((request) => ({ ...request, body: Buffer.from(request.body, 'base64').toString('utf8') }));
	}

	/** Asks the tenant directly, without leaving a trace in `sent`. */
	async ask<T>(path: string): Promise<T> {
		const answer = await fetch(`${this.sandbox.url}/third-party/v1${path}`, {
			headers: { authorization: `Bearer ${this.sandbox.token}` },
		});
		return (await answer.json()) as T;
	}

	static inEachTest(options?: SandboxOptions): TestTenant {
		const tenant = new TestTenant();
		beforeAll(async () => {
			tenant.running = await startSandbox(options);
		});
		beforeEach(async () => await tenant.sandbox.reset());
		afterAll(async () => await tenant.running?.close());
		return tenant;
	}
}

/** A locator's value by ID. */
export function byId(value: number | string) {
	return { __rl: true, mode: 'id', value };
}
