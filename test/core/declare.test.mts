import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = path.join(ROOT, 'nodes/CustomerMessaging/core/declarations.ts');

const PRELUDE = `
import { howMany, pages } from '../fields/list';
import { records } from '../fields/locators';
import { messageRows } from '../messages/messageRow';
import { list, record } from '../core/outputs';
import { sendTemplate, sendTemplateFields } from '../messages/sendTemplate';
import { operationByChoice, operationWith } from '../core/declare';
import { bodyField, clearable, options, pathField, queryField, setting } from '../core/field';
import { choice } from '../values/choices';
import { boolean } from '../values/choices';
import { integerId } from '../values/ids';
import { text } from '../values/text';

const parameter = { displayName: 'Name', name: 'name', type: 'string' as const, default: '' };
const { user } = records;
const operation = operationWith({ conversations: user, users: user });
const kind = setting('kind', ...choice({ all: ['All'], one: ['One'] }, 'all'));
const endpoints = { all: 'GET /users', one: 'GET /users/{id}' } as const;
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
		unknownEndpoint: [`operation('GET /userss', 'Does one', { fields: [], output: record })`, 'GET /userss'],
		unknownMember: [
			`operation('POST /users', 'Does one', { fields: [bodyField('nmae', text, parameter)], output: record })`,
			'nmae is no member of POST /users',
		],
		unknownMemberWithin: [
			`operation('POST /conversations/{conversationId}/messages', 'Does one', { fields: [bodyField('text.contents', text, parameter)], output: record })`,
			'text.contents is no member of',
		],
		notClearable: [
			`operation('POST /users', 'Does one', { fields: [clearable(bodyField('name', text, parameter))], output: record })`,
			'name is no member of POST /users, or takes something else',
		],
		otherType: [
			`operation('POST /users', 'Does one', { fields: [bodyField('is_admin', text, parameter)], output: record })`,
			'is_admin is no member of POST /users, or takes something else',
		],
		otherTypeInCollection: [
			`operation('POST /users', 'Does one', { fields: [options(bodyField('pin', boolean, parameter))], output: record })`,
			'pin is no member of POST /users, or takes something else',
		],
		unknownRecord: [`operation('GET /profiles/{profileId}/tags/{tagId}', 'Does one')`, 'no record of'],
		unfilledPlace: [`operationByChoice(kind, endpoints, 'Does one', { fields: [kind] })`, 'no field for id'],
		unknownPlace: [
			`operationByChoice(kind, endpoints, 'Does one', { fields: [kind, pathField('id', user), pathField('userId', user)] })`,
			'userId is no place of',
		],
		unknownQuery: [
			`operation('GET /profiles', 'Does one', { fields: [queryField('serach', text, parameter)], output: list })`,
			'serach is not in the query of GET /profiles',
		],
		unreadSetting: [
			`operation('GET /users', 'Does one', { fields: [setting('name', text, parameter)], output: list })`,
			'nothing reads name',
		],
		unshownSetting: [
			`operation('GET /users', 'Does one', { ...pages, fields: [] })`,
			'limit is read, but not shown',
		],
		noFields: [
			`operation('GET /users', 'Does one', { run: pages.run, output: list })`,
			"'fields' is missing",
		],
		unreadOption: [
			`operation('POST /chatapp/send-template', 'Does one', { fields: [...sendTemplateFields, options(setting('options.budget', text, parameter))], run: sendTemplate, output: messageRows(record) })`,
			'nothing reads options.budget',
		],
		nameless: [`operation('GET /users', { fields: [], output: list })`, "type 'string'"],
		valueOfTheEngine: [
			`operation('GET /users', 'Does one', { fields: [], output: list, send: { value: '={{ 1 }}' } })`,
			"'send' does not exist",
		],
	};
	const right = {
		rightGet: `operation('GET /users/{id}', 'Does one')`,
		rightList: `operation('GET /users', 'Does one', pages)`,
		rightUpdate: `operation('PATCH /users/{id}', 'Does one', { fields: [bodyField('pin', integerId, parameter)] })`,
		rightChoice: `operationByChoice(kind, endpoints, 'Does one', { fields: [kind, pathField('id', user)] })`,
	};
	const declarations = Object.fromEntries(Object.entries(wrong).map(([name, [text]]) => [name, text]));
	const problems = problemsOf({ ...declarations, ...right });
	expect([...problems.keys()].sort()).toEqual(Object.keys(wrong).sort());
	for (const [name, [, says]] of Object.entries(wrong)) expect(problems.get(name)).toContain(says);
});
