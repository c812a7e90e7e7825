const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const tsx = require('tsx/cjs/api');

const { rehearseRelease } = tsx.require('../release/rehearsal.mts', __filename);

/** Makes the release whose package the tests of a real n8n install (see `test/release/rehearsal.mts`). */
module.exports = async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'release-rehearsal-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	const file = path.join(folder, 'rehearsal.json');
	writeFileSync(file, JSON.stringify(await rehearseRelease(folder)));
	process.env.RELEASE_REHEARSAL = file;
};
