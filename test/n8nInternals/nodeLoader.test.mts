import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { LazyPackageDirectoryLoader, PackageDirectoryLoader } from 'n8n-core';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MEND =
	'n8n does not start with what the build wrote for it (dist/known and dist/types): look at `metadata` in gulpfile.js.';

/** Without what n8n's own generator leaves out, and without what n8n adds to a polling trigger each time that it loads the class. */
const asJson = ({ known, types }: PackageDirectoryLoader): unknown =>
	JSON.parse(
		JSON.stringify({ known, types }, (key, value: unknown) => {
			if (key === '__loadOptionsMethods') return undefined;
			return key === 'properties' && Array.isArray(value)
				? value.filter(({ name }: { name?: string }) => name !== 'pollTimes')
				: value;
		}),
	);

it('n8n reads at its start what it would find in the nodes and credentials', async () => {
	const lazy = new LazyPackageDirectoryLoader(ROOT);
	await lazy.loadAll();
	if (!lazy.isLazyLoaded) throw new Error(MEND);
	const eager = new PackageDirectoryLoader(ROOT);
	await eager.loadAll();
	expect(asJson(lazy)).toEqual(asJson(eager));
});

/** The modules that a process has of the package when it has loaded one of its classes, and the rooms that they are in. */
async function loadedBy(file: string) {
	const script = `require(${JSON.stringify(path.join(ROOT, 'dist', file))}); console.log(Object.keys(require.cache).join('\\n'));`;
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
	const own = stdout.split('\n').filter((loaded) => loaded.startsWith(path.join(ROOT, 'dist')));
	const texts = await Promise.all(own.map(async (loaded) => await readFile(loaded, 'utf8')));
	return texts.flatMap((text) =>
		[...text.matchAll(/^\/\/ (?:nodes\/CustomerMessaging\/)?(\S+\.\w+)$/gm)].map(([, module]) => module),
	);
}

it('an execution loads nothing of the editor, of YAML, and of other nodes', async () => {
	const action = await loadedBy('nodes/CustomerMessaging/CustomerMessaging.node.js');
	const trigger = await loadedBy('nodes/CustomerMessaging/CustomerMessagingTrigger.node.js');
	const polling = await loadedBy('nodes/CustomerMessaging/CustomerMessagingPollingTrigger.node.js');
	const credential = await loadedBy('credentials/CustomerMessagingApi.credentials.js');
	const inRooms = (modules: string[], ...rooms: string[]) =>
		modules.filter((module) => rooms.some((room) => module.startsWith(`${room}/`)));
	expect(inRooms(action, 'runner').length).toBeGreaterThan(5);
	for (const modules of [action, trigger, polling]) {
		expect(inRooms(modules, 'editor')).toEqual(['editor/lazyMethods.ts']);
		expect(inRooms(modules, 'tenantDescription', 'node_modules')).toEqual([]);
	}
	expect(inRooms(action, 'polling', 'trigger')).toEqual([]);
	expect(inRooms(trigger, 'resources', 'fields', 'runner', 'polling')).toEqual([]);
	expect(inRooms(polling, 'resources', 'messaging', 'trigger')).toEqual([]);
	expect(inRooms(credential, 'resources', 'transport')).toEqual([]);
});
