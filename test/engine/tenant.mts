import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import { type RecordedRequest, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { asAdmin } from '../sandbox/tenantClient.mts';
import { giveBack, takeSandbox } from '../tenant/sandboxPool.mts';
import { type NodeRun, type NodeRunOptions, runNode } from './engine.mts';

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

	/** The content of an item's binary field, out of n8n's binary store. */
	async bytesOf(item: INodeExecutionData, fieldName: string): Promise<Buffer> {
		const binary = item.binary?.[fieldName];
		if (!binary) throw new Error(`The item has no binary field ${fieldName}`);
		return binary.id
			? await Container.get(BinaryDataService).getAsBuffer(binary)
			: Buffer.from(binary.data, 'base64');
	}

	/** The requests that have arrived since the test began, as "METHOD /path" with everything else beside. */
	sent(): SentRequest[] {
		return this.sandbox
			.requests()
			.map((request) => ({ ...request, body: Buffer.from(request.body, 'base64').toString('utf8') }));
	}

	/** Asks the tenant directly, past the node. */
	async ask<T>(path: string): Promise<T> {
		return (await asAdmin(this.sandbox).get<T>(path)).data;
	}

	/** Posts JSON to the tenant directly, past the node. */
	async tell<T>(path: string, body: unknown): Promise<T> {
		return (await asAdmin(this.sandbox).post<T>(path, body)).data;
	}

	/** Uploads a file directly, past the node. @returns its UUID */
	async upload(type: string, mimeType: string, name: string, content: Buffer): Promise<string> {
		const form = new FormData();
		form.append('type', type);
		form.append('file', new Blob([Uint8Array.from(content)], { type: mimeType }), name);
		const { data } = await asAdmin(this.sandbox).post<{ internal_uuid: string }>(
			'/files/temporary-upload',
			form,
		);
		return data.internal_uuid;
	}

	/** The content of an uploaded file. */
	async download(uuid: string): Promise<Buffer> {
		const { data } = await asAdmin(this.sandbox).get<Buffer>(`/files/${uuid}`, {
			responseType: 'arraybuffer',
		});
		return data;
	}

	/** A tenant that runs already. */
	static of(sandbox: Sandbox): TestTenant {
		const tenant = new TestTenant();
		tenant.running = sandbox;
		return tenant;
	}

	static inEachTest(options?: SandboxOptions): TestTenant {
		const tenant = new TestTenant();
		beforeAll(async () => {
			tenant.running = await takeSandbox(options);
		});
		beforeEach(async () => await tenant.sandbox.reset());
		afterAll(async () => {
			if (tenant.running) await giveBack(tenant.running, options);
		});
		return tenant;
	}
}

/** A locator's value by ID. */
export function byId(value: number | string) {
	return { __rl: true, mode: 'id', value };
}
