import packageJson from '../../package.json';
import {
	anchorsOf,
	linksOf,
	markdownFiles,
	npmScriptsOf,
	problemOf,
	projectFolder,
	readDocument,
} from './markdown.mts';

const files = markdownFiles();

describe('the documents', () => {
	it('are found', () => {
		expect(files).toEqual(expect.arrayContaining(['README.md', 'docs/sending.md', 'sandbox/README.md']));
		expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
	});

	it.each(files)('link from %s only to what is there', (file) => {
		const broken = linksOf(readDocument(file)).flatMap((link) => {
			const problem = problemOf(file, link);
			return problem === undefined ? [] : [`${link}: ${problem}`];
		});
		expect(broken).toEqual([]);
	});

	it.each(files)('name in %s only npm scripts that there are', (file) => {
		const unknown = npmScriptsOf(readDocument(file)).filter((name) => !(name in packageJson.scripts));
		expect(unknown).toEqual([]);
	});

	it.each(files)('name in %s no path of the machine they were written on', (file) => {
		expect(readDocument(file)).not.toContain(projectFolder);
	});
});

describe('the link checker', () => {
	it.each([
		['docs/nowhere.md', 'no such file'],
		['docs/sending.md#nowhere', 'no such heading'],
		['#nowhere', 'no such heading'],
		['../outside.md', 'leaves the project'],
		['http://n8n.io', 'not https'],
		['https://intranet/page', 'no public host'],
	])('finds what is wrong with %s', (link, problem) => {
		expect(problemOf('README.md', link)).toBe(problem);
	});

	it('reads links, pictures and HTML, and leaves code alone', () => {
		const text = '[a](a.md#x) ![b](b.png "B") <img src="c.svg"> `[d](d.md)`\n```\n[e](e.md)\n```\n[f]: f.md';
		expect(linksOf(text)).toEqual(['a.md#x', 'b.png', 'c.svg', 'f.md']);
	});

	it('makes anchors as GitHub does', () => {
		const text = "# What's new?\n## What's new?\n```sh\n# no heading\n```\n### `code` & _more_";
		expect([...anchorsOf(text)]).toEqual(['whats-new', 'whats-new-1', 'code--_more_']);
	});
});
