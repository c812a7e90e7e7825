import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { type Copy, type Dockerfile, DockerfileParser } from 'dockerfile-ast';
import { execa } from 'execa';

import manifest from '../../sandbox/package.json';
import { projectFolder, readDocument } from './markdown.mts';

const text = readDocument('sandbox/Dockerfile');
const file: Dockerfile = DockerfileParser.parse(text);
const instructions = file.getInstructions();
const argumentsOf = (keyword: string) =>
	instructions.filter((one) => one.getKeyword() === keyword).map((one) => one.getArgumentsContent());

/** What the files in the project are that Docker gets, as `.gitignore` would say it. */
const context = readDocument('sandbox/Dockerfile.dockerignore').split('\n');

describe("the sandbox's Dockerfile", () => {
	it('names its base by digest, and builds in stages that are left behind', () => {
		const stages = file.getFROMs().map((from) => from.getBuildStage());
		const foreign = file.getFROMs().filter((from) => !stages.includes(from.getImage()));
		expect(foreign.map((from) => from.getImage())).toEqual([
			expect.stringMatching(/^node:\d+\.\d+\.\d+-[\w-]+@sha256:[0-9a-f]{64}$/),
		]);
		expect(file.getFROMs().at(-1)?.getImage()).toBe('node');
		expect(stages).toEqual(['node', 'manifests', 'build', 'dependencies', null]);
	});

	it('runs the command of the package as a user without rights', () => {
		expect(argumentsOf('USER')).toEqual(['node']);
		const command = `sandbox/${manifest.bin['customer-messaging-sandbox']}`;
		expect(JSON.parse(String(argumentsOf('ENTRYPOINT').at(-1)))).toEqual([
			'node',
			command,
			'--host',
			'0.0.0.0',
		]);
	});

	it('is healthy while the sandbox says so, and not when it says otherwise or nothing', async () => {
		const [check] = argumentsOf('HEALTHCHECK');
		const [node, ...command] = JSON.parse(String(check?.slice(check.indexOf('[')))) as string[];
		let status = 200;
		const server = createServer((request, response) => {
			response.writeHead(request.url === '/sandbox/health' ? status : 404).end();
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const args = command.map((part) => part.replace(':4010/', `:${port}/`));
		const exitCode = async () => (await execa(node, args, { reject: false })).exitCode;
		expect(await exitCode()).toBe(0);
		status = 503;
		expect(await exitCode()).toBe(1);
		server.close();
		expect(await exitCode()).toBe(1);
	});

	it('installs what the lockfile says, from npm alone, and runs no scripts of packages', () => {
		const installs = argumentsOf('RUN').filter((command) => command?.includes('npm '));
		expect(installs.map((command) => command?.split(' --workspace')[0])).toEqual([
			'npm ci',
			'npm run build',
			'npm ci',
		]);
		expect(text).not.toMatch(/registry|_authToken|--mount=type=secret|ARG /);
		expect(readDocument('.npmrc').split('\n')).toContain('ignore-scripts=true');
	});

	it('copies what is there, and what its list of ignored files lets through', () => {
		const copies = instructions.filter((one): one is Copy => one.getKeyword() === 'COPY');
		const sources = copies
			.filter((copy) => copy.getFlags().every((flag) => flag.getName() !== 'from'))
			.flatMap((copy) => copy.getArguments().slice(0, -1))
			.map((argument) => argument.getValue().replace(/\/$/, ''));
		expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'tsconfig.json', 'sandbox']));
		expect(sources.filter((source) => !existsSync(path.join(projectFolder, source)))).toEqual([]);
		const isLetIn = (source: string) => context.some((line) => `${source}/`.startsWith(`${line.slice(1)}/`));
		expect(context).toContain('*');
		expect(sources.filter((source) => !isLetIn(source))).toEqual([]);
	});
});
