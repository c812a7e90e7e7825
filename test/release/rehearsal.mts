import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { load } from 'js-yaml';

import { ProjectCopy } from './projectCopy.mts';

/** What a workflow makes of a tag, up to the file that npm would get. */
interface Publication {
	tag: string;
	/** The package that the workflow would publish. */
	tarball: string;
	/** What npm says when it is asked to publish the file, without doing it. */
	published: string;
	/** What npm asked of its registry meanwhile. */
	askedOfRegistry: string[];
}

/** A release of a copy of the project. */
export interface Rehearsal extends Publication {
	/** The changelog in the commit of the tag. */
	changelog: string;
	/** The release of the sandbox after it. */
	sandbox: Publication;
}

interface Step {
	uses?: string;
	run?: string;
	with?: { path?: string };
	env?: Record<string, string>;
}

type Jobs = Record<'test' | 'pack' | 'publish', { steps: Step[] }>;

/** What CI has just done with the same commit, and what the package still needs of it. */
const DONE_BESIDE: Record<string, string> = {
	'npm test': 'npm run build',
	'npm run scan': 'true',
	'npm ci': 'true',
};

/** Prepares the machine of a job. */
const PREPARES = /^actions\/(checkout|setup-node|download-artifact)@/;

/** The release that this run of jest has rehearsed (see `test/jest/rehearsedRelease.js`); undefined where none of its suites needs one. */
export function rehearsed(): Rehearsal | undefined {
	const file = process.env.RELEASE_REHEARSAL;
	return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Rehearsal);
}

/** The version to release: the one that package.json has, if it is the first, or else the next one. */
async function nextOf(copy: ProjectCopy, workspace = ''): Promise<string> {
	const version = String(await copy.versionIn(path.join(workspace, 'package.json')));
	const changelog = await copy.read(path.join(workspace, 'CHANGELOG.md'));
	return changelog.includes(`\n## [${version}]`) ? 'minor' : version;
}

/**
 * Makes the next version of both packages in a copy of the project, and goes the way of their workflows from the tags to the
 * calls that would publish them.
 *
 * @param folder holds everything of it
 * @throws Error with what a command printed, when one fails
 */
async function rehearseRelease(folder: string): Promise<Rehearsal> {
	const copy = await ProjectCopy.into(folder);
	const succeeds = ({ exitCode, all }: { exitCode: number | undefined; all: string }) => {
		if (exitCode !== 0) throw new Error(`The release could not be made\n${all}`);
	};
	await copy.fillIn();
	succeeds(await copy.release(await nextOf(copy)));
	const tag = `v${String(await copy.versionIn('package.json'))}`;
	const publication = await publish(copy, folder, 'publish.yml', tag);

	await copy.fillIn({}, 'sandbox');
	succeeds(await copy.release(await nextOf(copy, 'sandbox'), 'sandbox'));
	const ofSandbox = `sandbox-v${String(await copy.versionIn('sandbox/package.json'))}`;
	return {
		...publication,
		changelog: await copy.git('show', `${tag}:CHANGELOG.md`),
		sandbox: await publish(copy, folder, 'publish-sandbox.yml', ofSandbox),
	};
}

/** Goes the way of a workflow from its tag to the call that would publish the package. */
async function publish(copy: ProjectCopy, folder: string, file: string, tag: string): Promise<Publication> {
	const workflow = await copy.git('show', `${tag}:.github/workflows/${file}`);
	const { jobs } = load(workflow) as { jobs: Jobs };
	const artefact = path.join(folder, `artefact-${tag}`);
	const outputs = path.join(folder, `outputs-${tag}`);
	await writeFile(outputs, '');
	const valueOf = (name: string) => new RegExp(`^${name}=(.*)`, 'm').exec(readFileSync(outputs, 'utf8'))?.[1];
	const shell = async (command: string, cwd: string, env: Step['env'] = {}) => {
		const given = Object.entries(env).map(([name, value]) => [
			name,
			value.replace(/\$\{\{ .*\.outputs\.(\w+) \}\}/, (_, output: string) => valueOf(output) ?? ''),
		]);
		const all = { GITHUB_REF_NAME: tag, GITHUB_OUTPUT: outputs, ...Object.fromEntries(given) };
		return await copy.succeeded('bash', ['-e', '-c', command], cwd, all);
	};
	for (const job of ['test', 'pack'] as const) {
		const checkout = await copy.checkOut(tag, job);
		for (const { uses = '', run, env, with: inputs } of jobs[job].steps) {
			if (run !== undefined) await shell(DONE_BESIDE[run] ?? run, checkout, env);
			else if (uses.startsWith('actions/upload-artifact@'))
				await upload(checkout, String(inputs?.path), artefact);
			else if (!PREPARES.test(uses)) throw new Error(`The rehearsal does not know what ${uses} does`);
		}
	}

	const registry = await startEmptyRegistry();
	const published: string[] = [];
	for (const { uses = '', run, env } of jobs.publish.steps) {
		if (run !== undefined) {
			const ends = run.startsWith('npm publish');
			const dry = ends ? `${run} --dry-run --registry=${registry.url} --fetch-retries=0 2>&1` : run;
			published.push(await shell(dry, artefact, env));
		} else if (!PREPARES.test(uses)) throw new Error(`The rehearsal does not know what ${uses} does`);
	}
	registry.close();

	const [tarball] = await readdir(artefact);
	return {
		...{ tag, tarball: path.join(artefact, tarball) },
		...{ published: published.join('\n'), askedOfRegistry: registry.asked },
	};
}

/** Rehearses a release for `rehearsed`. Gives the file that tells of it, beside everything of it in the folder. */
export async function writeRehearsal(folder: string): Promise<string> {
	const file = path.join(folder, 'rehearsal.json');
	await writeFile(file, JSON.stringify(await rehearseRelease(folder)));
	return file;
}

/** Keeps the one file of a folder that `*.<ending>` means. */
async function upload(from: string, pattern: string, to: string): Promise<void> {
	const files = (await readdir(from)).filter((file) => file.endsWith(pattern.replace('*', '')));
	if (files.length !== 1) throw new Error(`${pattern} means ${files.length} files of the checkout`);
	await mkdir(to);
	await cp(path.join(from, files[0]), path.join(to, files[0]));
}

/** A registry that has no package yet. */
async function startEmptyRegistry() {
	const asked: string[] = [];
	const server = createServer(({ method, url }, response) => {
		asked.push(`${method} ${url}`);
		response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { asked, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
