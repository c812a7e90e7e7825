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
