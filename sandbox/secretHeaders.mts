/** What the names of headers say whose values are secrets: those of the interface and the sandbox, and of other services. */
const SECRET = /authorization|cookie|token|api-?key|secret/i;

/** Whether the value of a header is neither shown nor recorded. */
export const isSecretHeader = (name: string): boolean => SECRET.test(name);
