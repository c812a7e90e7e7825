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

/** How many modules of each room a process has when it has loaded a class of the package. The bundler tells them in each file. */
async function loadedBy(file: string): Promise<Partial<Record<string, number>>> {
	const script = `require(${JSON.stringify(path.join(ROOT, 'dist', file))}); console.log(Object.keys(require.cache).join('\\n'));`;
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
	const own = stdout.split('\n').filter((loaded) => loaded.startsWith(path.join(ROOT, 'dist')));
	const rooms: Partial<Record<string, number>> = {};
	for (const loaded of own) {
		const [, modules = ''] = /^\/\/ .*, modules: (.*)$/m.exec(await readFile(loaded, 'utf8')) ?? [];
		for (const [, room, count] of modules.matchAll(/([\w-]+) (\d+)/g))
			rooms[room] = (rooms[room] ?? 0) + Number(count);
	}
	return rooms;
}

it('a node loads nothing of YAML, and of other nodes', async () => {
	const action = await loadedBy('nodes/CustomerMessaging/CustomerMessaging.node.js');
	const trigger = await loadedBy('nodes/CustomerMessaging/CustomerMessagingTrigger.node.js');
	const polling = await loadedBy('nodes/CustomerMessaging/CustomerMessagingPollingTrigger.node.js');
	const credential = await loadedBy('credentials/CustomerMessagingApi.credentials.js');
	const has = (rooms: Partial<Record<string, number>>, ...named: string[]) =>
		named.filter((room) => rooms[room] !== undefined);
	expect(action.core).toBeGreaterThan(5);
	for (const rooms of [action, trigger, polling]) expect(has(rooms, 'js-yaml')).toEqual([]);
	expect(has(action, 'polling', 'trigger')).toEqual([]);
	expect(has(trigger, 'editor', 'api', 'operations', 'fields', 'core', 'polling')).toEqual([]);
	expect(has(polling, 'operations', 'trigger')).toEqual([]);
	expect(has(credential, 'operations')).toEqual([]);
	// What is read of the credential, and nothing else of the client.
	expect(credential.api).toBe(1);
});
