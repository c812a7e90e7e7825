const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

// n8n-core reads these when it is loaded, once for each process. Jest removes the folders of its workers.
const { ENGINE_FOLDER } = process.env;
const userFolder = mkdtempSync(path.join(ENGINE_FOLDER ?? tmpdir(), 'n8n-engine-'));
if (!ENGINE_FOLDER) process.on('exit', () => rmSync(userFolder, { recursive: true, force: true }));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
process.env.N8N_LOG_LEVEL ??= 'silent';
