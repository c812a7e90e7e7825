import { type Conversion, ValueProblem } from './conversion';
import { setOfEach } from './ids';
import { isObject } from './json';
import { shown, text } from './text';

/** Converts one title, or a record with a `title`, to the title without surrounding spaces. */
export const titleElement: Conversion<string> = (element) => {
	const title = text(isObject(element) && 'title' in element ? element.title : element);
	return typeof title === 'string' && title.trim() !== ''
		? title.trim()
		: new ValueProblem(
				`contains "${shown(element)}", which has no title`,
				'Give titles, e.g. VIP, Newsletter, or records with a title.',
			);
};

const titles = setOfEach(titleElement);

/** Converts one title, or an array of titles or records, to the comma-separated list that the interface takes. */
export const titleList: Conversion<string> = (value) => {
	const given = titles(value);
	if (given instanceof ValueProblem) return given;
	const divided = given.find((title) => title.includes(','));
	return divided === undefined
		? given.join(',')
		: new ValueProblem(
				`contains "${shown(divided)}", whose comma would make it several tags`,
				'This request takes the titles in one text, separated by commas: use titles without commas.',
			);
};
