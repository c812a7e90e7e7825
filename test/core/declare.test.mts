import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = path.join(ROOT, 'nodes/CustomerMessaging/core/declarations.ts');

const PRELUDE = `
import { howMany, pages } from '../fields/list';
import { user } from '../fields/locators';
import { messageRows } from '../messages/messageRow';
import { list, record } from '../core/outputs';
import { sendTemplate, sendTemplateFields } from '../messages/sendTemplate';
import { operation } from '../core/declare';
import { bodyField, clearable, collection, pathField, queryField, setting } from '../core/field';
import { boolean } from '../values/choices';
import { integerId } from '../values/ids';
import { text } from '../values/text';

const parameter = { displayName: 'Name', name: 'name', type: 'string' as const, default: '' };
const texts = { description: 'Does one' };
const options = { displayName: 'Options', name: 'options', type: 'collection' as const, default: {} };
`;

/** What the compiler says about declarations, each by its own name. */
function problemsOf(declarations: Record<string, string>): Map<string, string> {
	const names = Object.keys(declarations);
	const lines = names.map((name) => `export const ${name} = ${declarations[name]};`);
	const source = [PRELUDE, ...lines].join('\n');
	const first = PRELUDE.split('\n').length;
	const folder = path.join(ROOT, 'nodes');
	const { config } = ts.readConfigFile(path.join(folder, 'tsconfig.json'), (file) => ts.sys.readFile(file));
	const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
	const host = ts.createCompilerHost(options);
	const { getSourceFile, fileExists } = host;
	host.fileExists = (file) => file === FILE || fileExists(file);
	host.getSourceFile = (file, ...rest) =>
		file === FILE ? ts.createSourceFile(file, source, rest[0]) : getSourceFile(file, ...rest);
	const program = ts.createProgram([FILE], { ...options, noUnusedLocals: false, types: [] }, host);
	const file = program.getSourceFile(FILE);
	const found = new Map<string, string>();
	for (const { start = 0, messageText } of program.getSemanticDiagnostics(file)) {
		const line = source.slice(0, start).split('\n').length - 1;
		const name = names[line - first] ?? 'the prelude';
		found.set(name, ts.flattenDiagnosticMessageText(messageText, '\n'));
	}
	return found;
}

it('a declaration that does not fit does not compile', () => {
	const wrong: Record<string, [declaration: string, says: string]> = {
		unknownEndpoint: [`operation('GET /userss', { ...texts, fields: [], output: record })`, 'GET /userss'],
		unknownMember: [
			`operation('POST /users', { ...texts, fields: [bodyField('nmae', text, parameter)], output: record })`,
			'nmae is no member of POST /users',
		],
		unknownMemberWithin: [
			`operation('POST /conversations/{conversationId}/messages', { ...texts, fields: [bodyField('text.contents', text, parameter)], output: record })`,
			'text.contents is no member of',
		],
		notClearable: [
			`operation('POST /users', { ...texts, fields: [clearable(bodyField('name', text, parameter))], output: record })`,
			'name is no member of POST /users, or takes something else',
		],
		otherType: [
			`operation('POST /users', { ...texts, fields: [bodyField('is_admin', text, parameter)], output: record })`,
			'is_admin is no member of POST /users, or takes something else',
		],
		otherTypeInCollection: [
			`operation('POST /users', { ...texts, fields: [collection(options, [bodyField('pin', boolean, parameter)])], output: record })`,
			'pin is no member of POST /users, or takes something else',
		],
		unfilledPlace: [
			`operation('GET /users/{id}', { ...texts, fields: [], output: record })`,
			'no field for id of GET /users/{id}',
		],
		unknownPlace: [
			`operation('GET /users/{id}', { ...texts, fields: [pathField('id', user), pathField('userId', user)], output: record })`,
			'userId is no place of GET /users/{id}',
		],
		unknownQuery: [
			`operation('GET /profiles', { ...texts, fields: [queryField('serach', text, parameter)], output: list })`,
			'serach is not in the query of GET /profiles',
		],
		unreadSetting: [
			`operation('GET /users', { ...texts, fields: [setting('name', text, parameter)], output: list })`,
			'nothing reads name',
		],
		unshownSetting: [
			`operation('GET /users', { ...texts, fields: [], ...pages })`,
			'limit is read, but not shown',
		],
		unreadOption: [
			`operation('POST /chatapp/send-template', { ...texts, fields: [...sendTemplateFields, collection(options, [setting('options.budget', text, parameter)])], run: sendTemplate, output: messageRows(record) })`,
			'nothing reads options.budget',
		],
		nameless: [`operation('GET /users', { fields: [], output: list })`, 'description'],
		valueOfTheEngine: [
			`operation('GET /users', { ...texts, fields: [], output: list, send: { value: '={{ 1 }}' } })`,
			"'send' does not exist",
		],
	};
	const right = {
		list: `operation('GET /users', { ...texts, fields: [...howMany], ...pages })`,
		update: `operation('PATCH /agents/{id}', { ...texts, fields: [pathField('id', user), bodyField('bot_id', integerId, parameter)], output: record })`,
	};
	const declarations = Object.fromEntries(Object.entries(wrong).map(([name, [text]]) => [name, text]));
	const problems = problemsOf({ ...declarations, rightList: right.list, rightUpdate: right.update });
	expect([...problems.keys()].sort()).toEqual(Object.keys(wrong).sort());
	for (const [name, [, says]] of Object.entries(wrong)) expect(problems.get(name)).toContain(says);
});
