import path from 'node:path';

import { LazyPackageDirectoryLoader, PackageDirectoryLoader } from 'n8n-core';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MEND =
	'n8n does not start with what the build wrote for it (dist/known and dist/types): look at `metadata` in gulpfile.js.';

/** Without what n8n's own generator leaves out, and without the parameter that n8n adds to each polling trigger, of whose version it is. */
const asJson = ({ known, types }: PackageDirectoryLoader): unknown =>
	JSON.parse(
		JSON.stringify({ known, types }, (key, value: { name?: string }) =>
			key === '__loadOptionsMethods' ? undefined : value?.name === 'pollTimes' ? 'pollTimes' : value,
		),
	);

it('n8n reads at its start what it would find in the nodes and credentials', async () => {
	const lazy = new LazyPackageDirectoryLoader(ROOT);
	await lazy.loadAll();
	if (!lazy.isLazyLoaded) throw new Error(MEND);
	const eager = new PackageDirectoryLoader(ROOT);
	await eager.loadAll();
	expect(asJson(lazy)).toEqual(asJson(eager));
});
