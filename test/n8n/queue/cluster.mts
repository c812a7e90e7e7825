import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Sandbox, startSandbox } from '../../../sandbox/server.mts';
import { pack } from '../../../scripts/packing.mts';
import { CREDENTIAL_TYPE } from '../e2e/tenantAndN8n.mts';
import { installCommunityPackage } from '../communityPackage.mts';
import { installedN8n } from '../installation.mts';
import { freePort } from '../ports.mts';
import { N8nRest } from '../rest.mts';
import { type N8nServer, startN8n } from '../server.mts';
import { leanSettings, ownerSettings } from '../settings.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import {
	DATABASE,
	DATABASE_USER,
	type Postgres,
	type Service,
	startPostgres,
	startRedis,
} from './services.mts';

/** What an n8n process does: the editor and schedules, taking webhooks, or executing workflows. */
export type Role = 'start' | 'webhook' | 'worker';

/** One n8n process of a cluster. */
export interface Member {
	role: Role;
	url: string;
	/** Its newest lines of output. */
	log(): string[];
	/** Ends it at once, as the kernel or a power cut would. It is down when this settles. */
	kill(): Promise<void>;
	/** Starts it anew, as a container's restart policy would. */
	restart(): Promise<void>;
}

/** n8n in queue mode with the packed package in every process, and a tenant for it to talk to. */
export interface Cluster {
	main: Member;
	webhooks: Member[];
	workers: Member[];
	redis: Service;
	postgres: Postgres;
	sandbox: Sandbox;
	/** Logged in to the main process as the owner. */
	rest: N8nRest;
	/** The credential of the sandbox's admin, in n8n. */
	credential: { id: string; name: string };
	stop(): Promise<void>;
}

export interface ClusterOptions {
	webhooks?: number;
	workers?: number;
	/** Environment variables of every n8n process. */
	env?: Record<string, string>;
}

/** Starts all of it on free ports, with nothing on disk that outlives `stop`. */
export async function startCluster({
	webhooks = 2,
	workers = 2,
	env,
}: ClusterOptions = {}): Promise<Cluster> {
	const folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-queue-'));
	// PostgreSQL may run as another user, who has to get to its own folder in there.
	await chmod(folder, 0o755);
	const members: Member[] = [];
	const services: Array<Pick<Service, 'stop'>> = [];
	const stop = async () => {
		// Nothing of it is needed any more, and a polite end can take a quarter of a minute.
		await Promise.all(members.map(async (member) => await member.kill()));
		await Promise.all(services.map(async (service) => await service.stop()));
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	};
	try {
		const postgres = await startPostgres(path.join(folder, 'postgres'));
		services.push(postgres);
		const redis = await startRedis(path.join(folder, 'redis'));
		services.push(redis);
		const sandbox = await startSandbox({ choices: { profileTags: 'hidden' } });
		services.push({ stop: async () => await sandbox.close() });
		const withPackage = path.join(folder, 'package');
		await installCommunityPackage(await pack(path.join(folder, 'pack')), withPackage);
		const shared = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: DATABASE_USER,
			DB_POSTGRESDB_DATABASE: DATABASE,
			N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
			...leanSettings,
			...env,
		};
		const start = async (role: Role, name: string) => {
			const userFolder = path.join(folder, name);
			await cp(withPackage, userFolder, { recursive: true });
			const member = await startMember(role, userFolder, shared);
			members.push(member);
			return member;
		};
		const several = async (role: Role, count: number) =>
			await Promise.all(
				Array.from({ length: count }, async (_, index) => await start(role, `${role}-${index}`)),
			);

		// The main process creates the tables.
		const main = await start('start', 'main');
		const [webhookMembers, workerMembers] = await Promise.all([
			several('webhook', webhooks),
			several('worker', workers),
		]);
		const rest = await N8nRest.logIn(main.url);
		const credential = await rest.createCredential({
			name: 'Sandbox admin',
			type: CREDENTIAL_TYPE,
			data: { tenantDomain: sandbox.url, accessToken: sandbox.token },
		});
		return {
			main,
			webhooks: webhookMembers,
			workers: workerMembers,
			redis,
			postgres,
			sandbox,
			rest,
			credential,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startMember(role: Role, userFolder: string, env: Record<string, string>): Promise<Member> {
	const port = await freePort();
	const own = {
		start: ownerSettings(),
		webhook: {},
		worker: { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port) },
	};
	const instance = { installation: installedN8n(), userFolder, port, env: { ...own[role], ...env } };
	const start = async (): Promise<N8nServer> => await startN8n(instance, { command: role });
	let running = await start();
	return {
		role,
		url: running.url,
		log: () => running.log(),
		async kill() {
			process.kill(running.pid, 'SIGKILL');
			await running.ended;
		},
		async restart() {
			running = await start();
		},
	};
}

/** The first agent of the tenant that can send templates. */
export async function chatAppAgentId({ sandbox }: Cluster): Promise<number> {
	const { data } = await asAdmin(sandbox).get<{ data: Array<{ id: number }> }>('/agents?channel=chatapp');
	return data.data[0].id;
}
