import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';

import { pack } from '../../scripts/packing.mts';
import { SIZES } from '../description/sizes.mts';
import { runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

const compiled = readdirSync(path.join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.js'))
	.map((file): [string, string] => [file, readFileSync(path.join(ROOT, 'dist', file), 'utf8')]);

/** Longer lines are what a minifier writes, or a text for people. */
const MAX_LINE_LENGTH = 1_000;

it.each(compiled)('%s can be read, and says where it comes from', (_file, text) => {
	const [banner, ...code] = text.split('\n');
	const modules = /^\/\/ n8n-nodes-customer-messaging (\S+), modules: [\w-]+ \d+(, [\w-]+ \d+)*$/;
	expect(modules.exec(banner)?.[1]).toBe(version);
	// Libraries are minified.
	const own = banner.includes('js-yaml') ? [] : code;
	expect(own.filter((line) => line.length > MAX_LINE_LENGTH)).toEqual([]);
});

it('is byte for byte the same whoever packs it, and as small as test/description/sizes.mts says, with nothing of the sandbox, which is a package of its own', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'packed-'));
	const umask = process.umask();
	try {
		const tarball = await pack(path.join(folder, 'tarball'));
		expect((await stat(tarball)).size).toBeLessThanOrEqual(SIZES.packedBytes);
		process.umask(0o077);
		const packedElsewhere = await pack(path.join(folder, 'elsewhere'));
		expect((await readFile(packedElsewhere)).equals(await readFile(tarball))).toBe(true);
		const { stdout } = await execa('tar', ['-tzf', tarball]);
		const files = stdout.split('\n').map((file) => file.replace(/^package\//, ''));
		const unknown = files.filter(
			(file) =>
				!/^(LICENSE|README\.md|package\.json|dist\/((nodes|credentials|icons|known|shared|types)\/.+|THIRD_PARTY_NOTICES\.txt))$/.test(
					file,
				),
		);
		expect(files).toContain('dist/nodes/CustomerMessaging/CustomerMessaging.node.js');
		expect(unknown).toEqual([]);
		expect(compiled.filter(([, text]) => /^\/\/ sandbox\//m.test(text))).toEqual([]);
	} finally {
		process.umask(umask);
		await rm(folder, { recursive: true });
	}
});

describe('a failing operation', () => {
	const odd = OddTenant.inEachTest();

	it('has a stack that names the functions it went through, and the file', async () => {
		odd.answer(async (_request, reply) => await reply.code(422).send({ message: 'No' }));
		const { error } = await runNode({
			parameters: { resource: 'tag', operation: 'create', title: 'VIP' },
			credentials: odd.credentials,
		});
		expect(error?.stack).toMatch(/at (?:Object\.)?errorOfFailure \(.*dist\/shared\/\w+\.js:\d+:\d+\)/);
	});
});
