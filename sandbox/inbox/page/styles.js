/** Marks that chat apps turn into letter styles: *bold*, _italic_, ~struck~. */
const STYLES = { '*': 'strong', _: 'em', '~': 's' };

/** Styles within styles: each mark once. */
const MAX_DEPTH = Object.keys(STYLES).length;

const isSpace = (character) => character === undefined || /\s/.test(character);
const canFollow = (character) => character === undefined || /[\s).,!?:;]/.test(character);
const canPrecede = (character) => character === undefined || /[\s(]/.test(character);

/** Whether a mark at this index can end a style, which has a character before it. */
const canEnd = (text, index) => !isSpace(text[index - 1]) && canFollow(text[index + 1]);

/** For each mark, the indexes at which it can end a style, and those of the line breaks. */
function endsIn(text) {
	const ends = { '*': [], _: [], '~': [], '\n': [] };
	for (let index = 0; index < text.length; index++) {
		const character = text[index];
		if (character === '\n' || (character in STYLES && canEnd(text, index))) ends[character].push(index);
	}
	return ends;
}

/**
 * A text with chat-app styles, in parts: texts, and styled parts that hold parts. Its cost grows with the length of the
 * text only, whatever anybody sent.
 *
 */
export function styledParts(text, depth = 0) {
	if (depth === MAX_DEPTH) return [text];
	const ends = endsIn(text);
	const next = { '*': 0, _: 0, '~': 0, '\n': 0 };
	/** The first of these indexes that is not before this one. They are asked for in ascending order. */
	const endFrom = (kind, index) => {
		while (ends[kind][next[kind]] < index) next[kind]++;
		return ends[kind][next[kind]] ?? Infinity;
	};
	const parts = [];
	let done = 0;
	for (let index = 0; index < text.length - 2; index++) {
		const mark = text[index];
		// A style that ended just before leaves its mark behind.
		const before = index === done ? undefined : text[index - 1];
		if (!(mark in STYLES) || !canPrecede(before) || isSpace(text[index + 1])) continue;
		const end = endFrom(mark, index + 2);
		if (end === Infinity || end > endFrom('\n', index + 1)) continue;
		if (index > done) parts.push(text.slice(done, index));
		parts.push({ tag: STYLES[mark], parts: styledParts(text.slice(index + 1, end), depth + 1) });
		done = end + 1;
		index = end;
	}
	if (done < text.length) parts.push(text.slice(done));
	return parts;
}
