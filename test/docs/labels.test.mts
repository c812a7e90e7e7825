import { expectNone } from '../engine/expectNone.mts';
import { isLabel } from './labels.mts';
import { emphasizedIn, isInSources, markdownFiles, readDocument } from './markdown.mts';

const documents = markdownFiles().filter((file) => !/CHANGELOG|\.github/.test(file));

it.each(documents)('%s puts in italics only labels of the editor and sentences of the package', (file) => {
	expectNone(
		emphasizedIn(readDocument(file))
			.filter((words) => !isLabel(words) && !(words.split(' ').length > 4 && isInSources(words)))
			.map((words) => `${file}: "${words}" is no label of the nodes: correct it, or name it in labels.mts`),
	);
});

it.each([
	['Send Template', true],
	['Message: Send Template', true],
	['Tag: Send Template', false],
	['Invalid Values: Skip Row', true],
	['Template Language', true],
	['Template Languages', false],
])('the label %s is there: %s', (words, isExpected) => {
	expect(isLabel(words)).toBe(isExpected);
});

it('reads what is in italics, also over a line end, and neither bold words nor code', () => {
	expect(emphasizedIn('_A_, **b**, *C D*, [_E\n  F_](g_h_i.md) `_j_` **_K_:** l')).toEqual([
		...['A', 'C D', 'E F', 'K'],
	]);
});
