import { type Conversion, ValueProblem } from './conversion';
import { listed } from './ids';
import { isObject } from './json';
import { text } from './text';

/** Converts one title, or an array of titles or records, to a comma-separated list; empty if there is none. */
export const titleList: Conversion<string> = (value) => {
	const titles: string[] = [];
	for (const one of listed(value)) {
		const title = text(isObject(one) && 'title' in one ? one.title : one);
		if (title instanceof ValueProblem) return title;
		if (title.trim() !== '') titles.push(title.trim());
	}
	return titles.join(', ');
};
