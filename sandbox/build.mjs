// npm run build: compiles the sandbox into dist, with the files that it reads when it runs.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const from = (file) => path.join(import.meta.dirname, file);

rmSync(from('dist'), { recursive: true, force: true });
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '--project', import.meta.dirname], { stdio: 'inherit' });
for (const file of ['openapi.yaml', 'inbox/page']) {
	cpSync(from(file), from(`dist/sandbox/${file}`), { recursive: true });
}
