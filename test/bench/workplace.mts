import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { pack } from '../../scripts/packing.mts';
import { installCommunityPackage } from '../n8n/communityPackage.mts';
import { installedN8n } from '../n8n/installation.mts';

/** Loaded by the measured processes at run time, out of the installed n8n. */
const EXTERNAL = ['n8n-core', 'n8n-workflow', 'n8n-nodes-base', '@n8n/*'];

/** A temporary folder with the packed package, installed as n8n installs it, and the n8n to measure in. */
export class Workplace {
	readonly installation = installedN8n();

	private constructor(
		readonly folder: string,
		/** What `npm pack` wrote. */
		readonly tarball: string,
	) {}

	/** @param tarball the package; this one is packed unless given */
	static async prepare(tarball?: string): Promise<Workplace> {
		const folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-bench-'));
		const place = new Workplace(folder, tarball ?? (await pack(path.join(folder, 'pack'))));
		await installCommunityPackage(place.tarball, place.userFolder);
		return place;
	}

	/** The user folder of a whole n8n, with the package installed in it. */
	get userFolder(): string {
		return path.join(this.folder, 'user');
	}

	/** The installed package. */
	get packageFolder(): string {
		return path.join(this.userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-customer-messaging');
	}

	/** The installed n8n's packages. */
	get modules(): string {
		return path.join(path.dirname(this.installation.script), '..', '..');
	}

	/**
	 * The environment of a process that runs n8n's code without a whole n8n. As in n8n, nodes find its packages by
	 * NODE_PATH.
	 */
	get environment(): NodeJS.ProcessEnv {
		return {
			PATH: process.env.PATH,
			HOME: process.env.HOME,
			NODE_ENV: 'production',
			NODE_PATH: this.modules,
			N8N_USER_FOLDER: path.join(this.folder, 'engine'),
			N8N_ENCRYPTION_KEY: 'only-on-this-machine-for-the-benchmark',
			N8N_LOG_LEVEL: 'silent',
		};
	}

	/** @returns a folder for N8N_CUSTOM_EXTENSIONS with the bare trigger, whose type is `CUSTOM.bareTrigger` */
	async bareTrigger(): Promise<string> {
		const extensions = path.join(this.folder, 'extensions');
		const script = path.join(import.meta.dirname, 'engine', 'bareTrigger.mts');
		await this.compile(script, path.join(extensions, 'BareTrigger.node.js'));
		return extensions;
	}

	/**
	 * Compiles a script of the benchmark to plain JavaScript, so that no loader runs in the process that is measured.
	 *
	 * @returns the compiled file
	 */
	async compile(
		script: string,
		outfile = path.join(this.folder, 'scripts', `${path.basename(script, '.mts')}.cjs`),
	): Promise<string> {
		const { build } = await import('esbuild');
		await build({
			entryPoints: [script],
			outfile,
			bundle: true,
			external: EXTERNAL,
			platform: 'node',
			format: 'cjs',
			target: 'node24',
			logLevel: 'warning',
		});
		return outfile;
	}

	async remove(): Promise<void> {
		await rm(this.folder, { recursive: true, force: true });
	}
}
