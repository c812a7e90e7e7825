/** Returns a text as it stands in an expression of n8n. Braces would end the expression. */
export function quoted(words: string): string {
	return JSON.stringify(words).replace(/[{}]/g, (brace) => `\\u00${brace.charCodeAt(0).toString(16)}`);
}
