/** Whether a text has the form of an e-mail address: one @, a dot in the domain, no spaces. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
