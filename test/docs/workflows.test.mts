import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import { load } from 'js-yaml';

import { projectFolder, readDocument } from './markdown.mts';

interface Step {
	uses?: string;
	id?: string;
	run?: string;
	env?: Record<string, string>;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: Record<string, string>;
	environment?: string;
	needs?: string[];
	outputs?: Record<string, string>;
	steps: Step[];
}

interface Workflow {
	on: Record<string, unknown>;
	permissions?: unknown;
	jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows';

/** A release of an action by its commit, with the version for people and Dependabot. */
const PINNED = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

const files = readdirSync(path.join(projectFolder, FOLDER));
const inProject = (file: string) => path.join(projectFolder, FOLDER, file);
const textOf = (file: string) => readDocument(`${FOLDER}/${file}`);
const read = (file: string) => load(textOf(file)) as Workflow;
const jobsOf = (file: string) => Object.entries(read(file).jobs);
const stepsOf = (file: string) => jobsOf(file).flatMap(([, { steps }]) => steps);
const mayPublish = ({ permissions }: Job) => permissions?.['id-token'] !== undefined;

it('there are workflows to look at', () => {
	expect(files).toEqual(expect.arrayContaining(['ci.yml', 'publish.yml']));
	expect(files.filter((file) => !/\.ya?ml$/.test(file))).toEqual([]);
});

describe('the linter of workflows', () => {
	/** What it finds, by the path of the file. */
	let findings: Record<string, unknown>;

	beforeAll(async () => {
		const script = path.join(import.meta.dirname, 'lintWorkflow.mjs');
		const { stdout } = await execa('node', [script, ...files.map(inProject)]);
		findings = JSON.parse(stdout) as typeof findings;
	});

	it.each(files)('finds nothing in %s', (file) => {
		expect(findings[inProject(file)]).toEqual([]);
	});
});

describe.each(files)('%s', (file) => {
	it('takes every action at the commit of a release', () => {
		const uses = textOf(file)
			.split('\n')
			.filter((line) => /\buses:/.test(line));
		expect(uses.length).toBe(stepsOf(file).filter((step) => step.uses !== undefined).length);
		expect(uses.filter((line) => !PINNED.test(line))).toEqual([]);
	});

	it('gives no right to all jobs, and to each job that builds or tests only that to read', () => {
		expect(read(file).permissions).toEqual({});
		for (const [name, job] of jobsOf(file).filter(([, job]) => !mayPublish(job))) {
			expect([name, job.permissions]).toEqual([name, { contents: 'read' }]);
		}
	});

	it('leaves no token in the checkout', () => {
		const checkouts = stepsOf(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		expect(checkouts.length).toBeGreaterThan(0);
		expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
	});

	it('puts no expression into a script, where its value would be a program', () => {
		expect(stepsOf(file).filter(({ run }) => run?.includes('${{'))).toEqual([]);
	});

	it('uses no secret and no registry but the default of npm', () => {
		expect(textOf(file)).not.toMatch(/\bsecrets\b|github\.token|GITHUB_TOKEN|NODE_AUTH_TOKEN|_authToken/);
		expect(textOf(file)).not.toMatch(/registry|https?:/);
	});

	it('runs nothing of a pull request with rights of the project', () => {
		expect(Object.keys(read(file).on)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(pull_request_target|workflow_run|issue_comment)$/)]),
		);
	});
});

describe('publishing', () => {
	const publishers = jobsOf('publish.yml').filter(([, job]) => mayPublish(job));
	const [[, publish] = [undefined, undefined]] = publishers;
	const { test: tester, pack: packer } = read('publish.yml').jobs;
	const runsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

	it('is the right of one job, which has no other and waits for the people of an environment', () => {
		expect(publishers.map(([name]) => name)).toEqual(['publish']);
		expect(publish).toMatchObject({ permissions: { 'id-token': 'write' }, environment: 'npm' });
		expect(Object.keys(publish?.permissions ?? {})).toEqual(['id-token']);
	});

	it('runs no code of the project or of a dependency', () => {
		expect(publish?.steps.map(({ uses, run }) => uses?.split('@')[0] ?? run)).toEqual([
			'actions/download-artifact',
			expect.stringMatching(
				/^if \[ "\$\(sha256sum \*\.tgz\)" != "\$TESTED" \]; then\n {2}echo [^\n]+\n {2}exit 1\nfi\n$/,
			),
			'actions/setup-node',
			expect.stringMatching(/^npm publish \.\/\*\.tgz --provenance --access public --ignore-scripts \$\(/),
		]);
	});

	it.each([
		['v1.2.3', ''],
		['v1.2.3-beta.0', ' --tag next'],
		['sandbox-v1.2.3', ''],
		['sandbox-v1.2.3-rc.1', ' --tag next'],
	])('leaves "latest" to what is no pre-release: %s', async (tag, wanted) => {
		const command = `npm() { echo "$*"; }; ${String(publish?.steps.at(-1)?.run)}`;
		const options = { cwd: import.meta.dirname, env: { GITHUB_REF_NAME: tag } };
		const { stdout } = await execa('bash', ['-e', '-c', command], options);
		expect(stdout).toBe(`publish ./*.tgz --provenance --access public --ignore-scripts${wanted}`);
	});

	it('is refused before anything else while package.json has reserved names', () => {
		expect(runsOf(tester).slice(1, -1)).toEqual([
			'node scripts/publishable.mjs',
			'npm test',
			'npm run scan',
			'npm run package',
		]);
	});

	it('takes the file of a job in which no test ran, without a cache that others can fill', () => {
		expect(publish?.needs).toEqual(['test', 'pack']);
		expect(runsOf(packer)).toEqual(['npm ci', 'npm run package']);
		const upload = packer.steps.at(-1);
		expect(upload?.uses).toMatch(/^actions\/upload-artifact@/);
		expect(upload?.with).toMatchObject({ name: 'package', path: '*.tgz', 'if-no-files-found': 'error' });
		expect(publish?.steps[0].with).toEqual({ name: 'package' });
		expect(tester.steps.filter(({ uses }) => uses?.includes('artifact'))).toEqual([]);
		const setUps = stepsOf('publish.yml').filter(({ uses }) => uses?.startsWith('actions/setup-node@'));
		for (const { with: options } of setUps) {
			expect(options).toMatchObject({ 'package-manager-cache': false });
			expect(options).not.toHaveProperty('cache');
		}
	});
});

describe('the digest of the published file', () => {
	const { test: tester, publish } = read('publish.yml').jobs;
	const tells = tester.steps.at(-1) as Step;
	const compares = publish.steps.find(({ env }) => env?.TESTED !== undefined) as Step;
	let folder: string;
	beforeEach(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'digest-'));
		await writeFile(path.join(folder, 'a-1.0.0.tgz'), 'packed');
	});
	afterEach(async () => await rm(folder, { recursive: true }));
	const shell = async (command: unknown, env: Record<string, string>) =>
		await execa('bash', ['-e', '-c', String(command)], { cwd: folder, env, all: true, reject: false });

	/** What the job with the tests tells of the file that it packed. */
	async function told(): Promise<string> {
		const file = path.join(folder, 'output');
		await shell(tells.run, { GITHUB_OUTPUT: file });
		return (await readFile(file, 'utf8')).replace(/^digest=|\n$/g, '');
	}

	it('goes from the job with the tests to the one that publishes', () => {
		expect(tester.outputs).toEqual({ digest: `\${{ steps.${String(tells.id)}.outputs.digest }}` });
		expect(compares.env).toEqual({ TESTED: '${{ needs.test.outputs.digest }}' });
	});

	it('is that of the tested one', async () => {
		expect(await shell(compares.run, { TESTED: await told() })).toMatchObject({ exitCode: 0, all: '' });
	});

	it.each([
		['another content', 'a-1.0.0.tgz'],
		['another file beside it', 'b-1.0.0.tgz'],
	])('refuses %s', async (_what, file) => {
		const tested = await told();
		await writeFile(path.join(folder, file), 'changed');
		const { exitCode, all } = await shell(compares.run, { TESTED: tested });
		expect([exitCode, all]).toEqual([1, expect.stringContaining('is not the one that was tested')]);
	});

	it('refuses a file that nobody has tested', async () => {
		expect((await shell(compares.run, { TESTED: '' })).exitCode).toBe(1);
	});
});

describe('publishing the sandbox', () => {
	const [own, sandbox] = ['publish.yml', 'publish-sandbox.yml'].map(read);

	it('is done by the only other workflow with this right, for tags of its own', () => {
		const publishing = files.filter((file) => jobsOf(file).some(([, job]) => mayPublish(job)));
		expect(publishing.sort()).toEqual(['publish-sandbox.yml', 'publish.yml']);
		expect([own.on, sandbox.on]).toEqual([{ push: { tags: ['v*'] } }, { push: { tags: ['sandbox-v*'] } }]);
	});

	/** What the workflow does with a tag before anything else. */
	async function checked(tag: string) {
		const [{ run }] = sandbox.jobs.test.steps.filter((step) => step.run !== undefined);
		const env = { GITHUB_REF_NAME: tag };
		const options = { cwd: projectFolder, env, all: true, reject: false } as const;
		return await execa('bash', ['-e', '-c', String(run)], options);
	}

	it('takes the tag that a release makes, and no other', async () => {
		const { version } = JSON.parse(readDocument('sandbox/package.json')) as { version: string };
		// Which test/tooling/sandboxRelease.test.mts sees made.
		const tag = `sandbox-v${version}`;
		expect((await checked(tag)).exitCode).toBe(0);
		const refused = await checked(`v${version}`);
		expect([refused.exitCode, refused.all]).toEqual([
			1,
			expect.stringContaining(`tag the commit with ${tag}`),
		]);
	});

	it('is refused while its own package.json has reserved names', async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'publishable-'));
		try {
			const script = path.join(folder, 'scripts', 'publishable.mjs');
			await cp(path.join(projectFolder, 'scripts', 'publishable.mjs'), script);
			const names = (host: string) => {
				const url = `https://${host}/an-owner/sandbox`;
				return { author: `owner@${host}`, bugs: url, homepage: url, repository: `git+${url}.git` };
			};
			const write = async (file: string, host: string) =>
				await writeFile(path.join(folder, file), JSON.stringify(names(host)));
			await mkdir(path.join(folder, 'sandbox'));
			await write('package.json', 'github.com');
			await write('sandbox/package.json', 'sandbox.example');
			const options = {
				env: { PATH: process.env.PATH },
				extendEnv: false,
				all: true,
				reject: false,
			} as const;
			const refused = await execa('node', [script, 'sandbox'], options);
			expect([refused.exitCode, refused.all]).toEqual([1, expect.stringContaining('//sandbox.example/')]);
			await write('sandbox/package.json', 'github.com');
			await write('package.json', 'project.example');
			expect(await execa('node', [script, 'sandbox'], options)).toMatchObject({ exitCode: 0, all: '' });
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	it('takes the same steps, but for the package and the environment', () => {
		const { test: tester, pack: packer, publish } = sandbox.jobs;
		expect(publish).toEqual({ ...own.jobs.publish, environment: 'npm-sandbox' });
		const actions = ({ steps }: Job) => steps.filter(({ uses }) => uses !== undefined);
		const runs = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);
		expect([tester, packer].map(actions)).toEqual([own.jobs.test, own.jobs.pack].map(actions));
		expect([tester.outputs, tester.steps.at(-1)]).toEqual([
			own.jobs.test.outputs,
			own.jobs.test.steps.at(-1),
		]);
		const packs = [
			'npm run build --workspace customer-messaging-sandbox',
			'npx tsx scripts/package.mts sandbox',
		];
		expect(runs(tester).slice(1, -1)).toEqual(['node scripts/publishable.mjs sandbox', 'npm test', ...packs]);
		expect(runs(packer)).toEqual(['npm ci', ...packs]);
	});
});
