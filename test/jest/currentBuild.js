const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const tsx = require('tsx/cjs/api');

const { problemOfBuild } = tsx.require('../../scripts/sources.mts', __filename);

/** East and west of UTC, and half an hour beside it. Tests that need another zone set it themselves. */
const ZONES = ['Pacific/Auckland', 'America/St_Johns', 'Asia/Kolkata'];

/**
 * Ends jest before any test where these would run another `dist` than that of the sources. Has the tests run in a time zone by chance,
 * the same for the same `--seed`.
 */
module.exports = async ({ seed }) => {
	process.env.TZ ??= ZONES[Math.abs(seed) % ZONES.length];
	// Jest kills a worker that takes half a second to end. To remove what its engine has written may take longer.
	const folder = (process.env.ENGINE_FOLDER = mkdtempSync(path.join(tmpdir(), 'n8n-engines-')));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	const problem = await problemOfBuild();
	if (problem === undefined) return;
	// An error would be shown with jest's own words and a stack.
	console.error(problem);
	process.exit(1);
};
