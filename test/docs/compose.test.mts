import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

import { readDocument } from './markdown.mts';

interface Service {
	image?: string;
	build?: { context: string; dockerfile: string };
	profiles?: string[];
	ports?: string[];
	command?: string | string[];
	environment?: Record<string, string>;
}

const text = readDocument('docs/queue-mode/docker-compose.yml');
const { services, configs } = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) }) as {
	services: Record<string, Service>;
	configs: Record<string, { content: string }>;
};
const all = Object.entries(services);

/** Variables without which compose starts nothing. */
const required = [...new Set([...text.matchAll(/\$\{(\w+):\?[^}]+\}/g)].map(([, name]) => name))].sort();

const commands = /```sh\n([^]*?)```/.exec(readDocument('docs/running.md'))?.[1].split('\n') ?? [];

describe('docker-compose.yml', () => {
	it('is the one that the document is about', () => {
		expect(Object.keys(services)).toEqual(
			expect.arrayContaining(['postgres', 'redis', 'main', 'worker', 'proxy']),
		);
	});

	it('publishes every port on this machine only, unless a variable says otherwise', () => {
		const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
		expect(published).toEqual([
			['proxy', expect.stringMatching(/^\$\{LISTEN_ADDRESS:-127\.0\.0\.1\}:[^:]+:-?\d+\}?:\d+$/)],
			['sandbox', '127.0.0.1:${SANDBOX_PORT:-4010}:4010'],
		]);
	});

	it('names every image by its digest, or takes it from a variable without a default, or builds it', () => {
		const moving = all.filter(
			([, { image = '' }]) =>
				!/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image) && !/^\$\{\w+:\?[^}]+\}$/.test(image),
		);
		expect(moving).toEqual([['sandbox', expect.objectContaining({ build: expect.anything() })]]);
	});

	it('starts the sandbox only when it is asked for, with no more rights than it needs', () => {
		const optional = all.filter(([, { profiles }]) => profiles !== undefined);
		expect(optional).toEqual([
			[
				'sandbox',
				expect.objectContaining({
					profiles: ['sandbox'],
					build: { context: '../..', dockerfile: 'sandbox/Dockerfile' },
					read_only: true,
					cap_drop: ['ALL'],
				}),
			],
		]);
	});

	it('has no key and no password with a default', () => {
		expect(required).toEqual(['N8N_ENCRYPTION_KEY', 'N8N_IMAGE', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD']);
		const secrets = [...text.matchAll(/^\s+(\w*(?:PASSWORD|AUTH|_KEY)): (.+)$/gm)];
		expect(secrets.map(([, name]) => name)).toEqual(
			expect.arrayContaining(['POSTGRES_PASSWORD', 'REDISCLI_AUTH', 'QUEUE_BULL_REDIS_PASSWORD']),
		);
		for (const [, name, value] of secrets)
			expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{\w+:\?/)]);
	});

	it('gives Redis a password, which is in no command', () => {
		expect(configs.redis.content).toMatch(/^requirepass \$\{REDIS_PASSWORD:\?/m);
		for (const [, { command = '' }] of all)
			expect(String(command)).not.toMatch(/PASSWORD|requirepass|--pass/);
		for (const name of ['main', 'webhook-1', 'webhook-2', 'worker']) {
			expect([name, services[name].environment]).toEqual([
				name,
				expect.objectContaining({ QUEUE_BULL_REDIS_PASSWORD: expect.stringContaining('${REDIS_PASSWORD:?') }),
			]);
		}
	});
});

describe('the commands of docs/running.md', () => {
	it('make every variable that has no default, different each time, in a file for its owner only', () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'compose-'));
		try {
			const make = commands.slice(1, 3).join('\n');
			const made = [1, 2].map(() => {
				rmSync(path.join(folder, '.env'), { force: true });
				execFileSync('sh', ['-c', make], { cwd: folder });
				return readFileSync(path.join(folder, '.env'), 'utf8').trim().split('\n');
			});
			expect(statSync(path.join(folder, '.env')).mode & 0o077).toBe(0);
			const lines = made.flat();
			expect(new Set(lines.map((line) => line.split('=')[1])).size).toBe(lines.length);
			for (const line of lines) expect(line).toMatch(/^\w+=[0-9a-f]{48}$/);
			const later = commands.flatMap((command) => /^echo "(\w+)=.*>> \.env$/.exec(command)?.[1] ?? []);
			expect([...made[0].map((line) => line.split('=')[0]), ...later].sort()).toEqual(required);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it('choose the n8n that the tests run, and keep the variables out of git', () => {
		const { dependencies } = JSON.parse(readDocument('test/n8n-2/package.json')) as {
			dependencies: { n8n: string };
		};
		const images = [...commands.join('\n').matchAll(/docker\.n8n\.io\/n8nio\/n8n:([\w.]+)/g)].map(
			([, tag]) => tag,
		);
		expect(images).toEqual([dependencies.n8n, dependencies.n8n]);
		expect(readDocument('.gitignore').split('\n')).toContain('.env');
	});
});
