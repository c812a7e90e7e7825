/** A part of a text: text, or parts in a letter style. */
export type StyledPart = string | { tag: string; parts: StyledPart[] };

export function styledParts(text: string, depth?: number): StyledPart[];
