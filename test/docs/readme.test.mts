import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import packageJson from '../../package.json';
import { projectFolder, readDocument } from './markdown.mts';

const README = readDocument('README.md');

/** A section of the README, up to the next heading of its level. */
const section = (heading: string) => README.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** The program text of nodes and credentials, as one string. */
function sources(): string {
	return ['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
				path.join(projectFolder, folder, file),
			),
		)
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(file, 'utf8'))
		.join('\n');
}

describe('the README', () => {
	it('quotes only messages that the package gives', () => {
		const quoted = [...section('Troubleshooting').matchAll(/^\| “(.+?)” /gm)].map(([, message]) => message);
		expect(quoted.length).toBeGreaterThan(15);
		const text = sources();
		const unknown = quoted.filter(
			// The tenant domain's problems are put together from two parts, and `…` stands for a value.
			(message) =>
				!message
					.replace(/^The tenant domain (?=contains)/, '…')
					.split('…')
					.every((part) => text.includes(part.trim())),
		);
		expect(unknown).toEqual([]);
	});

	it('runs, in a fresh clone, exactly these commands', () => {
		const fresh = [...README.matchAll(/<!-- fresh(?: until "[^"]+")? -->\s+```sh\n([^]*?)```/g)].map(
			([, block]) => block.trim(),
		);
		expect(fresh).toEqual(['npm start', 'npm test']);
		expect(packageJson.scripts).toMatchObject({ start: expect.any(String), test: expect.any(String) });
	});

	it('names every example', () => {
		const examples = readdirSync(path.join(projectFolder, 'examples'));
		const missing = examples.filter((file) => !section('Recipes').includes(`(examples/${file})`));
		expect(missing).toEqual([]);
	});

	it('names the n8n that the tests run', () => {
		const { dependencies } = JSON.parse(readDocument('test/n8n-2/package.json')) as {
			dependencies: { n8n: string };
		};
		expect(section('Compatibility')).toContain(dependencies.n8n);
	});
});
