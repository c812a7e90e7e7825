import { expectNone } from '../engine/expectNone.mts';
import { markdownFiles, readDocument } from './markdown.mts';
import { longSentencesOf, MOST_WORDS, sentencesOf, wordsOf } from './sentences.mts';

/** What users, operators and contributors read. Documents in `docs/maintainers` are for few. */
const documents = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'sandbox/README.md'],
	...markdownFiles('docs').filter((file) => !file.startsWith('docs/maintainers/')),
];

it('finds the documents', () => {
	expect(documents).toEqual(expect.arrayContaining(['docs/running.md', 'docs/sandbox.md', 'docs/values.md']));
});

it.each(documents)(`%s has no sentence of more than ${MOST_WORDS} words`, (file) => {
	expectNone(longSentencesOf(readDocument(file)).map((sentence) => `${file}: ${sentence}`));
});

describe('the reader of sentences', () => {
	it('reads paragraphs over their lines, items of lists and cells of tables, and leaves code and pictures out', () => {
		const text = `# A heading

One sentence
over two lines. Another one! [A link](a.md) begins a third.

- **Try:** An item
- \`code\` first

![No text](b.png)

| Cell | Of a table. Two |
| --- | --- |

\`\`\`sh
npm test. No sentence.
\`\`\`
`;
		expect(sentencesOf(text)).toEqual([
			'A heading',
			'One sentence over two lines.',
			'Another one!',
			'A link begins a third.',
			'Try.',
			'An item',
			'code first',
			'Cell',
			'Of a table.',
			'Two',
			'---',
			'---',
		]);
	});

	it.each([
		['Two words.', 2],
		['The option _If No Marketing Consent_ is `a b c` – really.', 9],
		['A list (with 3 words), e.g. this: one.', 8],
	])('counts a piece of code as one word: %s', (text, words) => {
		expect(sentencesOf(text).map(wordsOf)).toEqual([words]);
	});

	it('finds a sentence that is too long', () => {
		const long = `${'word '.repeat(MOST_WORDS)}end.`;
		expect(longSentencesOf(`Short. ${long[0].toUpperCase()}${long.slice(1)}`)).toEqual([
			expect.stringMatching(/^26 words: Word word/),
		]);
	});
});
