/**
 * Reads a date of birth as YYYY-MM-DD or DD.MM.YYYY.
 * @returns it as YYYY-MM-DD, or undefined when the text is no such date or no day of the calendar.
 */
export function readDate(text: string): string | undefined {
	const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
	const german = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
	const parts = iso ? iso.slice(1) : german?.slice(1).reverse();
	if (!parts) return undefined;
	const date = parts.join('-');
	const time = Date.parse(`${date}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined;
}

/** Whether a text has the form of an e-mail address: one @, a dot in the domain, no spaces. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);

/** Whether a number can be the id of something that the interface only names, such as a bot or a folder. */
export const isId = (number: number): boolean => Number.isSafeInteger(number) && number > 0;

/** How texts, numbers and null are sorted: by their characters or value, null first. */
export function compare(one: number | string | null, other: number | string | null): number {
	if (one === other) return 0;
	if (one === null || other === null) return one === null ? -1 : 1;
	return one < other ? -1 : 1;
}
