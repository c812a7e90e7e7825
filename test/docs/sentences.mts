/** The longest sentence of a document for users, in words. */
export const MOST_WORDS = 25;

/** What stands in a block of a document for one text: a paragraph, an item of a list, a heading or a cell of a table. */
function blocksOf(text: string): string[] {
	const prose = text
		// What the editor says is written there by `npm run generate`.
		.replace(/<!-- operations[^]*?<!-- \/operations -->/g, '\n\n')
		.replace(/<!--[^]*?-->/g, '\n\n')
		.replace(/^ *(```|~~~)[^]*?^ *\1/gm, '\n\n')
		.replace(/<(picture|table)>[^]*?<\/\1>/g, '\n\n');
	return prose
		.split(/\n(?:\s*\n|(?=\s*(?:[-*+]|\d+\.|#{1,6}|\||>)\s))/)
		.flatMap((block) => (block.trim().startsWith('|') ? block.split(/(?<!\\)\|/) : [block]));
}

/** A piece of code and a quoted message are one word, however long they are. Bold words with a colon are a heading. */
const withoutMarkup = (block: string): string =>
	block
		.replace(/!\[[^\]]*\]\([^)]*\)/g, '')
		.replace(/`[^`]+`/g, 'code')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/(?<![\w*])_([^_]+)_(?!\w)/g, '$1')
		.replace(/“[^”]*”/g, 'quotation')
		.replace(/\*\*([^*]+):\*\*/g, '$1.')
		.replace(/\*\*/g, '')
		.replace(/^\s*(?:[-*+]|\d+\.|#{1,6}|>)\s+/, '')
		.replace(/\s+/g, ' ')
		.trim();

/** The sentences of a document's prose, each in one line. Code is left out. */
export const sentencesOf = (text: string): string[] =>
	blocksOf(text)
		.map(withoutMarkup)
		.flatMap((block) => block.split(/(?<=[.!?]["”)]?)\s+(?=["“(\p{Lu}\d]|code|n8n)/u))
		.filter((sentence) => sentence !== '');

/** How many words a sentence has: what stands between spaces and has a letter or a digit. */
export const wordsOf = (sentence: string): number =>
	sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The sentences of a document that are too long, with how many words they have. */
export const longSentencesOf = (text: string): string[] =>
	sentencesOf(text)
		.filter((sentence) => wordsOf(sentence) > MOST_WORDS)
		.map((sentence) => `${wordsOf(sentence)} words: ${sentence}`);
