// Runs the rules by which n8n verifies community packages over the packed tarball and over the sources.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

import { analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execa } from 'execa';

const root = path.resolve(import.meta.dirname, '..');
// Below the project, so that the scanner's own look-ups of n8n-workflow find it.
const scratch = mkdtempSync(path.join(root, 'node_modules', '.scan-'));

try {
	const pack = ['pack', '--json', '--loglevel=error', '--pack-destination', scratch];
	const { stdout } = await execa('npm', pack, { cwd: root });
	const [{ filename, size, files }] = JSON.parse(stdout);
	await execa('tar', ['-xzf', filename], { cwd: scratch });
	const targets = [
		['packed tarball', path.join(scratch, 'package'), undefined],
		['sources', root, ['package.json', '{nodes,credentials}/**/*.{js,ts,json}']],
	];
	console.log(`Packed: ${files.length} files, ${size} bytes`);
	for (const [name, directory, patterns] of targets) {
		const { passed, message, details } = await analyzePackage(directory, patterns);
		console.log(passed ? `${name}: no errors` : `${name}: ${message}\n${details ?? ''}`);
		if (!passed) process.exitCode = 1;
	}
} finally {
	rmSync(scratch, { recursive: true, force: true });
}
