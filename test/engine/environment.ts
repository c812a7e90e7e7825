import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n-core reads these when it is loaded; nothing is written to the user's own n8n folder.
process.env.N8N_USER_FOLDER = mkdtempSync(path.join(tmpdir(), 'n8n-engine-'));
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
process.env.N8N_LOG_LEVEL ??= 'silent';
