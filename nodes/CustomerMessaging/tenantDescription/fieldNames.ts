/** Maximum length of a name, and of a label without its explanation. */
export const MAX_NAME_LENGTH = 100;
export const MAX_LABEL_LENGTH = 80;

/** Maximum number of fields. A person cannot look through more. */
export const MAX_FIELDS = 200;

/**
 * Matches names that the editor cannot use as keys of values. They break n8n's path to the value, or JavaScript treats
 * them specially.
 */
const UNUSABLE_NAME = /^$|^=|["'`\\[\]\p{Cc}]|^(__proto__|constructor|prototype)$/u;

/** Whether the editor can use a name as the key of a value. */
export const isUsable = (name: string) => name.length <= MAX_NAME_LENGTH && !UNUSABLE_NAME.test(name);

/**
 * Returns a text of the tenant as one line and cuts it if it is too long.
 *
 * It removes a leading `=`, because n8n would run a stored text that begins with `=` as an expression.
 */
export function line(text: string, longest: number): string {
	const flat = text
		.slice(0, 10 * longest)
		.replace(/[\s\p{C}]+/gu, ' ')
		.replace(/^[\s=]+/, '')
		.trim();
	return flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat;
}

/** Turns `loyalty_tier` and `loyaltyTier` into "Loyalty Tier". */
export function readable(name: string): string {
	return name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/[_\-.]+/g, ' ')
		.trim()
		.replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}

/** Makes the label of a field from its name or its title. */
export const labelFrom = (name: string, title = readable(name)) => line(title, MAX_LABEL_LENGTH) || name;
