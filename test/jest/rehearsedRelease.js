const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const tsx = require('tsx/cjs/api');

const { prepare } = require('./preparedN8n');

const { writeRehearsal } = tsx.require('../release/rehearsal.mts', __filename);

/** Makes the release whose package the tests of a real n8n install (see `test/release/rehearsal.mts`). */
async function rehearse() {
	const folder = mkdtempSync(path.join(tmpdir(), 'release-rehearsal-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	process.env.RELEASE_REHEARSAL = await writeRehearsal(folder);
}

module.exports = async () => await prepare(rehearse());
