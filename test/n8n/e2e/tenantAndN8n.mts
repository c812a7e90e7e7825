import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Sandbox, startSandbox } from '../../../sandbox/server.mts';
import { installedN8n } from '../installation.mts';
import { freePort } from '../ports.mts';
import { copyPrepared } from '../prepared.mts';
import { N8nRest } from '../rest.mts';
import { type N8nServer, startN8n } from '../server.mts';
import { hooks, leanSettings, ownerSettings } from '../settings.mts';
import type { CredentialDefinition } from '../workflow.mts';

/** A real n8n with the package in it, of the rehearsed release where there is one, and a tenant for it to talk to. */
export interface TenantAndN8n {
	sandbox: Sandbox;
	n8n: N8nServer;
	/** Logged in as the owner. */
	rest: N8nRest;
	/** The credential of the sandbox's admin, in n8n. */
	credential: { id: string; name: string };
	/**
	 * Ends n8n as an administrator would, and starts it again at the same address with the same data.
	 *
	 * @param onStopped called in between
	 */
	restartN8n(onStopped?: () => void): Promise<void>;
	stop(): Promise<void>;
}

export const CREDENTIAL_TYPE = 'customerMessagingApi';
export const WEBHOOK_CREDENTIAL_TYPE = 'customerMessagingWebhookApi';
export const NODE_TYPE = 'n8n-nodes-customer-messaging.customerMessaging';
export const TRIGGER_TYPE = `${NODE_TYPE}Trigger`;

/** The `path` in the trigger's description. */
export const WEBHOOK_PATH = 'webhook';

/** A credential of the trigger, and what the sandbox registers a webhook with to pass it. */
export const headerSecret = {
	credential: {
		name: 'Header secret',
		type: WEBHOOK_CREDENTIAL_TYPE,
		data: { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: 'a-secret-of-the-tests' },
	} satisfies CredentialDefinition,
	registration: { secretHeader: { name: 'X-Webhook-Secret', value: 'a-secret-of-the-tests' } },
};

/** Creates the credential of a sandbox's admin in n8n. */
export async function credentialOf(
	rest: N8nRest,
	{ url: tenantDomain, token: accessToken }: Sandbox,
): Promise<{ id: string; name: string }> {
	const data = { tenantDomain, accessToken };
	return await rest.createCredential({ name: 'Sandbox admin', type: CREDENTIAL_TYPE, data });
}

export interface N8nOptions {
	/** Whether n8n serves its editor: its pages, icons, schemas and the list of node types. */
	hasEditor?: boolean;
}

/** Starts both on free ports, with nothing on disk that outlives `stop`. */
export async function startTenantAndN8n({ hasEditor = false }: N8nOptions = {}): Promise<TenantAndN8n> {
	const folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-e2e-'));
	const userFolder = path.join(folder, 'user');
	await copyPrepared(userFolder);
	const sandbox = await startSandbox({ choices: { profileTags: 'hidden' } });
	const env = {
		...ownerSettings(),
		...hooks('knownHosts', 'promptWaits'),
		...leanSettings,
		...(hasEditor && { N8N_DISABLE_UI: 'false' }),
	};
	const instance = { installation: installedN8n(), userFolder, port: await freePort(), env };
	const n8n = await startN8n(instance);
	const rest = await N8nRest.logIn(n8n.url);
	const credential = await credentialOf(rest, sandbox);
	const both: TenantAndN8n = {
		sandbox,
		n8n,
		rest,
		credential,
		async restartN8n(onStopped) {
			await both.n8n.stop();
			onStopped?.();
			both.n8n = await startN8n(instance);
		},
		async stop() {
			await both.n8n.stop();
			await sandbox.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
	return both;
}

/**
 * Starts both before the tests of a file, and stops them after them.
 *
 * @param take gets them, and may add what else the tests need
 */
export function tenantAndN8nInThisFile(take: (both: TenantAndN8n) => unknown, options?: N8nOptions): void {
	let both: TenantAndN8n | undefined;
	beforeAll(async () => {
		both = await startTenantAndN8n(options);
		await take(both);
	});
	afterAll(async () => await both?.stop());
}
