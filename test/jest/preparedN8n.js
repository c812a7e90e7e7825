const { rmSync } = require('node:fs');

const tsx = require('tsx/cjs/api');

const { firstStart, installPackage } = tsx.require('../n8n/prepared.mts', __filename);

/**
 * Makes the user folder that each n8n of the tests begins with (see `test/n8n/prepared.mts`).
 *
 * @param rehearsing settles when the package to install is there
 */
async function prepare(rehearsing) {
	const preparing = process.env.PREPARED_N8N ? undefined : firstStart();
	const [folder] = await Promise.all([preparing, rehearsing]);
	if (folder) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	await installPackage();
}

module.exports = async () => await prepare();
module.exports.prepare = prepare;
