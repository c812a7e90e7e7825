import packageJson from '../../package.json';
import { isInSources, linksOf, markdownFiles, readDocument } from './markdown.mts';

const README = readDocument('README.md');

/** A section of the README, up to the next heading of its level. */
const section = (heading: string) => README.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

it('all documents together can be read in an hour and a half', () => {
	const documents = markdownFiles().filter((file) => !file.endsWith('CHANGELOG.md'));
	const words = documents.flatMap((file) => readDocument(file).split(/\s+/).filter(Boolean));
	expect(words.length).toBeLessThanOrEqual(17_000);
});

describe('the document about troubleshooting', () => {
	it('quotes only messages that the package gives', () => {
		const quoted = [...readDocument('docs/troubleshooting.md').matchAll(/^\| “(.+?)” /gm)].map(
			([, message]) => message,
		);
		expect(quoted.length).toBeGreaterThan(15);
		const unknown = quoted.filter(
			// The tenant domain's problems are put together from two parts.
			(message) => !isInSources(message.replace(/^The Tenant Domain (?=contains)/, '…')),
		);
		expect(unknown).toEqual([]);
	});
});

describe('the README', () => {
	it('runs, in a fresh clone, exactly these commands', () => {
		const fresh = [...README.matchAll(/<!-- fresh(?: until "[^"]+")? -->\s+```sh\n([^]*?)```/g)].map(
			([, block]) => block.trim(),
		);
		expect(fresh).toEqual(['npm start', 'npm test']);
		expect(packageJson.scripts).toMatchObject({ start: expect.any(String), test: expect.any(String) });
	});

	it('clones the repository of package.json, and calls its address a placeholder while it is one', () => {
		const address = packageJson.repository.url.replace(/^git\+/, '');
		expect(README).toContain(`git clone ${address}\n`);
		const placeholder = new URL(address).hostname.endsWith('.example');
		expect(/are\s+placeholders/.test(README)).toBe(placeholder);
	});

	it('shows three recipes with their pictures', () => {
		const shown = [...section('Recipes').matchAll(/\(examples\/([\w-]+)\.json\)/g)].map(([, name]) => name);
		expect(shown).toHaveLength(3);
		for (const name of shown) expect(section('Recipes')).toContain(`(docs/images/recipes/${name}.png)`);
	});

	it('names the n8n that the tests run', () => {
		const { dependencies } = JSON.parse(readDocument('test/n8n-2/package.json')) as {
			dependencies: { n8n: string };
		};
		expect(section('Compatibility')).toContain(dependencies.n8n);
		expect(readDocument('docs/running.md')).toContain(`tested with ${dependencies.n8n}`);
	});
});

it.each(['CHANGELOG.md', 'sandbox/CHANGELOG.md'])(
	'%s has only whole addresses, because it is also the text of a release, which stands alone',
	(file) => {
		expect(linksOf(readDocument(file)).filter((link) => !link.startsWith('https://'))).toEqual([]);
	},
);
