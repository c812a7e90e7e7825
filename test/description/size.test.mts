import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expectNone } from '../engine/expectNone.mts';
import { SIZES } from './sizes.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The texts of the files whose paths fit. */
function textsOf(pattern: RegExp): string[] {
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
	const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\n');
	const found = files.filter((file) => pattern.test(file) && existsSync(path.join(ROOT, file)));
	return found.map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
}

const linesOf = (texts: string[]) => texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);

// The tarball is measured by test/tooling/published.test.mts, the type definition by test/n8n/e2e/package.test.mts.
it('no part of the project is larger than test/description/sizes.mts says', () => {
	const sources = textsOf(/^(nodes|credentials)\/(?!.*\.types\.ts$).*\.ts$/);
	const measured = {
		sourceFiles: sources.length,
		sourceLines: linesOf(sources),
		namedLimits: sources.flatMap((text) => text.match(/\bconst (MAX|MIN|MOST)_/g) ?? []).length,
		testLines: linesOf(textsOf(/^test\/.*\.mts$/)),
		sandboxLines: linesOf(textsOf(/^sandbox\/.*\.mts$/)),
		scriptLines: linesOf(textsOf(/^scripts\/.*\.m[tj]s$/)),
		tenantCheckLines: linesOf(textsOf(/^tenant-check\/.*\.mts$/)),
	};
	expect(Object.values(measured).filter((size) => size === 0)).toEqual([]);
	expectNone(
		Object.entries(measured)
			.filter(([name, size]) => size > SIZES[name as keyof typeof measured])
			.map(
				([name, size]) =>
					`${name}: ${size}, and at most ${SIZES[name as keyof typeof measured]}; make the change smaller, or take something else away`,
			),
	);
});
