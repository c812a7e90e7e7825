import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Members of descriptions and errors that only people read. */
const READ_BY_PEOPLE = new Set([
	'action',
	'description',
	'displayName',
	'documentationUrl',
	'emptyFieldsNotice',
	'errorMessage',
	'hint',
	'message',
	'placeholder',
	'remedy',
	'subtitle',
]);

/** Two words in a row: a sentence or a label, no name on the wire. */
const SENTENCE = /[\p{L}\d.,:;!?)}] +[\p{L}\d"({]/u;

function textOf(node) {
	if (node.type === 'StringLiteral') return node.value;
	return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw).join('x') : undefined;
}

/** Leaves out what a change of would only change words: the tests of texts are people who read them. */
export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'textsForPeople', {
		shouldIgnore({ node, parent }) {
			const text = textOf(node);
			if (text === undefined) return undefined;
			const key = parent?.type === 'ObjectProperty' && parent.value === node ? parent.key : undefined;
			const isRead = key !== undefined && READ_BY_PEOPLE.has(key.name ?? key.value);
			return isRead || SENTENCE.test(text) ? 'a text for people' : undefined;
		},
	}),
];
