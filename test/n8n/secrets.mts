import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { N8nInstallation } from './installation.mts';

/** What protects one n8n, besides its settings. */
export interface N8nSecrets {
	ownerPassword: string;
	/** As n8n takes it from its environment; a new one of the same password would end every session. */
	ownerPasswordHash: string;
	encryptionKey: string;
	/** How callers of a webhook prove themselves. */
	webhookSecret: string;
}

const random = () => randomBytes(24).toString('base64url');

/** Random ones. n8n wants a capital letter and a digit in a password. */
export function newSecrets({ script }: N8nInstallation): N8nSecrets {
	const { hashSync } = createRequire(script)('bcryptjs') as {
		hashSync(text: string, rounds: number): string;
	};
	const ownerPassword = `${random()}-N8`;
	return {
		ownerPassword,
		ownerPasswordHash: hashSync(ownerPassword, 10),
		encryptionKey: random(),
		webhookSecret: random(),
	};
}

/** Those that a file keeps; where it is missing, it is written, for its owner only. */
export async function secretsIn(file: string, installation: N8nInstallation): Promise<N8nSecrets> {
	const secrets = newSecrets(installation);
	const isNew = await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, {
		mode: 0o600,
		flag: 'wx',
	}).then(
		() => true,
		({ code }: NodeJS.ErrnoException) => {
			if (code === 'EEXIST') return false;
			throw new Error(`${file} cannot be written (${code})`);
		},
	);
	return isNew ? secrets : (JSON.parse(await readFile(file, 'utf8')) as N8nSecrets);
}
