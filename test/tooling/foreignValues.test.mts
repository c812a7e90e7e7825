import path from 'node:path';

import { execa } from 'execa';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Ways to make a text or a number of a value, each of which throws for some objects. */
const THROWING = [
	'String(value)',
	'`${value}`',
	"'' + record.member",
	'[value].join()',
	'Number(value)',
	'Number(record.member)',
	'1 + Number(record)',
	'record.member?.toString()',
];

/** The same of values that are no objects, and the functions for all others. */
const TOTAL = [
	'String(count)',
	'`${words}${count}`',
	'Number(words)',
	'words + count',
	'JSON.stringify(value)',
];

/** Returns the expressions in which the linter of the project finds something. */
async function refused(file: string, expressions: string[]): Promise<string[]> {
	const given = 'value: unknown, record: Record<string, object | string>, words: string, count: number';
	const lines = expressions.map((one, index) => `export const made${index} = (${given}) => ${one};`);
	const config = ['--config', 'scripts/eslint.tools.config.mjs', '--format', 'json'];
	const { stdout } = await execa('eslint', [...config, '--stdin', '--stdin-filename', file], {
		...{ cwd: ROOT, preferLocal: true, localDir: ROOT, input: lines.join('\n'), reject: false },
	});
	const [{ messages }] = JSON.parse(stdout) as [{ messages: Array<{ line: number; ruleId: string }> }];
	const found = messages.filter(({ ruleId }) => !ruleId.endsWith('no-unused-vars'));
	return [...new Set(found.map(({ line }) => expressions[line - 1]))];
}

it.each(['nodes/CustomerMessaging/values/text.ts', 'sandbox/texts.mts'])(
	'in %s, no text and no number is made of a foreign value in a way that throws',
	async (file) => {
		expect(await refused(file, [...TOTAL, ...THROWING])).toEqual(THROWING);
	},
	120_000,
);
