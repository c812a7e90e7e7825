import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Sandbox, startSandbox } from '../../../sandbox/server.mts';
import { pack } from '../../../scripts/packing.mts';
import { installCommunityPackage } from '../communityPackage.mts';
import { installedN8n } from '../installation.mts';
import { freePort } from '../ports.mts';
import { N8nRest } from '../rest.mts';
import { type N8nServer, startN8n } from '../server.mts';
import { ownerSettings } from '../settings.mts';
import type { CredentialDefinition } from '../workflow.mts';
import { rehearsed } from '../../release/rehearsal.mts';

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

/** Starts both on free ports, with nothing on disk that outlives `stop`. */
export async function startTenantAndN8n(): Promise<TenantAndN8n> {
	const folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-e2e-'));
	const userFolder = path.join(folder, 'user');
	const tarball = rehearsed()?.tarball ?? (await pack(path.join(folder, 'pack')));
	await installCommunityPackage(tarball, userFolder);
	const sandbox = await startSandbox();
	const instance = { installation: installedN8n(), userFolder, port: await freePort(), env: ownerSettings() };
	const n8n = await startN8n(instance);
	const rest = await N8nRest.logIn(n8n.url);
	const credential = await rest.createCredential({
		name: 'Sandbox admin',
		type: CREDENTIAL_TYPE,
		data: { tenantDomain: sandbox.url, accessToken: sandbox.token },
	});
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
