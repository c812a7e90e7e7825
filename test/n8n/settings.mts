import { readFileSync } from 'node:fs';
import path from 'node:path';

import { installedN8n, type N8nInstallation } from './installation.mts';
import { freePort } from './ports.mts';
import { type N8nSecrets, newSecrets } from './secrets.mts';

/** One n8n process: where it keeps its data, where it listens, and what it is told beyond the usual. */
export interface N8nInstance {
	installation: N8nInstallation;
	/** Holds `.n8n` with the database and the community packages; one per process. */
	userFolder: string;
	/** Port of the editor, the API and the webhooks. A command-line call needs none. */
	port?: number;
	/** Environment variables on top of, or instead of, those below. */
	env?: Record<string, string>;
	/** Ends the process when aborted. */
	signal?: AbortSignal;
}

/** The account that owns an n8n set up with `ownerSettings`, besides its password. */
export const owner = { email: 'owner@customer-messaging.example', firstName: 'Olivia', lastName: 'Owner' };

let ofThisProcess: N8nSecrets | undefined;

/** Where a run of jest keeps what each n8n of its tests begins with (see `prepared.mts`); undefined outside of one. */
export const preparedFolder = (): string | undefined => process.env.PREPARED_N8N;

/** In that folder. */
export const SECRETS_FILE = 'secrets.json';

/** The secrets of an n8n that ends with this process, or with this run of jest. */
export function temporarySecrets(): N8nSecrets {
	const folder = preparedFolder();
	ofThisProcess ??=
		folder === undefined
			? newSecrets(installedN8n())
			: (JSON.parse(readFileSync(path.join(folder, SECRETS_FILE), 'utf8')) as N8nSecrets);
	return ofThisProcess;
}

/** Environment variables that create the owner account at the start of n8n, and give n8n its key. */
export const ownerSettings = ({ ownerPasswordHash, encryptionKey } = temporarySecrets()) => ({
	N8N_ENCRYPTION_KEY: encryptionKey,
	N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
	N8N_INSTANCE_OWNER_EMAIL: owner.email,
	N8N_INSTANCE_OWNER_FIRST_NAME: owner.firstName,
	N8N_INSTANCE_OWNER_LAST_NAME: owner.lastName,
	N8N_INSTANCE_OWNER_PASSWORD_HASH: ownerPasswordHash,
});

/** Has n8n load these hooks. */
export function hooks(...names: string[]): Record<string, string> {
	const files = names.map((name) => path.join(import.meta.dirname, `${name}.mjs`));
	return { EXTERNAL_HOOK_FILES: files.join(path.delimiter), EXTERNAL_HOOK_FILES_SEPARATOR: path.delimiter };
}

/** Spares tests what they do not need. */
export const leanSettings: Record<string, string> = {
	// n8n copies all files of its editor at each start.
	N8N_DISABLE_UI: 'true',
	// No test has a Code node, for which n8n starts another process.
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'of-the-tests',
	// n8n makes an interpreter of expressions for each execution.
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};

/**
 * The whole environment of one n8n process: bound to the loopback interface, on SQLite, and quiet towards n8n's own hosts.
 * Nothing that the caller's environment says about another n8n or an outer npm gets through.
 */
export async function environmentOf({ installation, userFolder, port, env }: N8nInstance) {
	const inherited = Object.entries(process.env).filter(
		([name]) =>
			!/^(N8N|DB|NPM|QUEUE|EXECUTIONS|WEBHOOK|GENERIC|EXTERNAL)_|^NODE_(OPTIONS|ENV|PATH)$/i.test(name),
	);
	const url = `http://127.0.0.1:${port ?? 5678}/`;
	return {
		...Object.fromEntries(inherited),
		// n8n starts its task runners with the `node` it finds on the path.
		PATH: [path.dirname(installation.node), process.env.PATH].join(path.delimiter),
		// Saves n8n some two seconds of work at each start (Node.js 22 and newer).
		NODE_COMPILE_CACHE: installation.compileCache,
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: temporarySecrets().encryptionKey,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PROTOCOL: 'http',
		...(port === undefined ? {} : { N8N_PORT: String(port) }),
		N8N_WEBHOOK_URL: url,
		// The name before n8n 2.35.
		WEBHOOK_URL: url,
		N8N_EDITOR_BASE_URL: url,
		N8N_SECURE_COOKIE: 'false',
		N8N_SAMESITE_COOKIE: 'strict',
		...hooks('knownHosts'),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_AI_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'instance-ai,mcp-registry',
		GENERIC_TIMEZONE: 'UTC',
		DB_TYPE: 'sqlite',
		NO_COLOR: '1',
		// As in n8n's own image. Without it, n8n adds its stack trace to an error that a visitor of a webhook sees.
		NODE_ENV: 'production',
		...env,
	};
}
