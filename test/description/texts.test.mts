import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';

import { operationsByResource } from '../../nodes/CustomerMessaging/resources/index.ts';
import { flattened } from '../../nodes/CustomerMessaging/runner/field.ts';
import { loadedPackage } from '../engine/engine.mts';
import { expectNone } from '../engine/expectNone.mts';
import { nodeDescription, shownOperations } from '../generated/matrix/shownParameters.mts';

const ROOT = path.resolve(import.meta.dirname, '../../nodes/CustomerMessaging');

/** What n8n calls so, or the tenant. */
const NAMES_OF_OTHERS = [
	...['Retry On Fail', 'Respond to Webhook', 'Webhook URLs', 'Test URL', 'Production URL', 'AI Agent'],
	...['MCP Server Trigger', 'Loop Over Items', 'Batch Size', 'Map Automatically', 'Request Options'],
];

/** What another node of the package calls so, and this one tells of. */
const NAMES_ELSEWHERE = ['From Automation', 'New Agent Message'];

/** Anything that has a name which is shown. */
interface Named {
	name: string;
	displayName?: string;
	action?: string;
	description?: string;
	hint?: string;
	type?: string;
	value?: unknown;
	placeholder?: string;
	options?: unknown[];
	values?: unknown[];
}

const childrenOf = ({ options = [], values = [] }: Named) => [...options, ...values] as Named[];
const allOf = (one: Named): Named[] => [one, ...childrenOf(one).flatMap(allOf)];
const labelOf = ({ displayName, name }: Named) => displayName ?? name;

/** What n8n adds to a node that is installed, and what n8n names itself. */
const OF_N8N = new Set(['pollTimes', '__CUSTOM_API_CALL__']);

interface Owner {
	name: string;
	properties: Named[];
}

/** The nodes and credentials of the package. */
async function owners(): Promise<Owner[]> {
	const loader = await loadedPackage();
	const nodes = Object.keys(loader.nodeTypes).map((name) => {
		const { description } = loader.getNode(name).type as { description: INodeTypeDescription };
		return { name, properties: description.properties };
	});
	const credentials = Object.keys(loader.credentialTypes).map((name) => {
		const { properties } = loader.getCredential(name).type as ICredentialType;
		return { name, properties };
	});
	return [...nodes, ...credentials].map(({ name, properties }) => ({
		name,
		properties: (properties as Named[]).filter((property) => !OF_N8N.has(property.name)),
	}));
}

/** Everything that is called something on a screen of this owner: parameters, groups, choices, operations. */
function labelsOf({ properties }: Owner): Set<string> {
	const labels = properties.flatMap(allOf).flatMap((one) => [labelOf(one), one.action ?? []].flat());
	// A unit need not be told with the name, and there may be several of something.
	const shorter = labels.map((label) => label.replace(/ \([^)]*\)$/, ''));
	return new Set([...labels, ...shorter, ...shorter.map((label) => `${label}s`), ...NAMES_OF_OTHERS]);
}

/** The names of the nodes and credentials, which tell of each other. */
async function ownNames(): Promise<string[]> {
	const loader = await loadedPackage();
	return [
		...Object.keys(loader.nodeTypes).map((name) => loader.getNode(name).type),
		...Object.keys(loader.credentialTypes).map((name) => loader.getCredential(name).type),
	].map((type) =>
		'displayName' in type
			? type.displayName
			: (type as { description: INodeTypeDescription }).description.displayName,
	);
}

const sentencesOf = ({ type, displayName, description, hint }: Named) =>
	[type === 'notice' ? displayName : undefined, description, hint].filter((text) => text !== undefined);

/** Words in a row that begin with a capital, as labels are written. Small words may stand between them. */
const RUN =
	/\b[A-Z][\w-]*(?:(?: (?:and|at|by|for|if|in|of|on|or|the|to|with))* [A-Z][\w-]*)+(?: \([^)]*\))?/g;

const SMALL = / (?:(?:and|at|by|for|if|in|of|on|or|the|to|with) )+/;

/** Where a sentence begins, behind the one before. */
const BEGINNING = /(?:^|[.:?!…(]\s*|\n\s*)$/;

/** The ways in which such words can be labels. The first may be another word, if a sentence begins with it. */
function readingsOf(run: string, before: string): string[][] {
	const [, ...others] = run.split(' ');
	const withoutFirst = others.join(' ').replace(/^(?:[a-z]+ )+/, '');
	return [run, ...(BEGINNING.test(before) ? [withoutFirst] : [])].flatMap((words) => {
		const withoutUnit = words.replace(/ \([^)]*\)$/, '');
		return [[words], [withoutUnit], words.split(SMALL), withoutUnit.split(SMALL)];
	});
}

/** The names in a text that nothing is called by. */
function namelessIn(text: string, labels: ReadonlySet<string>): string[] {
	const plain = text.replace(/<[^>]+>/g, '').replace(/"[^"]*"|\{\{.*?\}\}|e\.g\. .*$/g, '…');
	const isKnown = (name: string) => labels.has(name) || !/[a-z]/.test(name);
	return Array.from(plain.matchAll(RUN))
		.filter(({ 0: run, index }) => {
			const readings = readingsOf(run, plain.slice(0, index));
			return !readings.some((reading) => reading.every(isKnown));
		})
		.map(([run]) => run);
}

let ofPackage: string[];

beforeAll(async () => {
	ofPackage = await ownNames();
});

it('no two parameters of one collection have the same description', async () => {
	const repeated = (await owners()).flatMap(({ name: owner, properties }) =>
		properties.flatMap(allOf).flatMap((parent) => {
			const told = childrenOf(parent).filter(({ description }) => description !== undefined);
			return told
				.filter((one, at) => told.findIndex(({ description }) => description === one.description) !== at)
				.map(
					(one) =>
						`${owner}: ${labelOf(parent)}: ${labelOf(one)} is described as another is: ${one.description}`,
				);
		}),
	);
	expectNone(repeated);
});

it('no two parameters of one operation have the same description', async () => {
	const repeated = shownOperations(await nodeDescription()).flatMap(({ resource, operation, properties }) => {
		const isTold = ({ description, type }: INodeProperties) => description !== undefined && type !== 'notice';
		const told = properties.filter(isTold);
		const isSame = (one: INodeProperties) => (other: INodeProperties) =>
			other.description === one.description && other.name !== one.name;
		return told
			.filter((one) => told.some(isSame(one)))
			.map(({ displayName, description }) => `${resource}: ${operation}: ${displayName}: ${description}`);
	});
	expectNone(repeated);
});

it('a description names only what is called so on the same node', async () => {
	const all = await owners();
	const anywhere = new Set(all.flatMap((owner) => [...labelsOf(owner)]));
	const nameless = all.flatMap((owner) => {
		const elsewhere = NAMES_ELSEWHERE.filter((name) => anywhere.has(name));
		const labels = new Set([...labelsOf(owner), ...elsewhere, ...ofPackage]);
		return owner.properties
			.flatMap(allOf)
			.flatMap((one) =>
				sentencesOf(one).flatMap((text) =>
					namelessIn(text, labels).map((name) => `${owner.name}: ${labelOf(one)} names "${name}": ${text}`),
				),
			);
	});
	expectNone(nameless);
});

it('a description names no member that another parameter of the operation fills', () => {
	const wrong = Object.entries(operationsByResource).flatMap(([resource, operations]) =>
		Object.entries(operations).flatMap(([operation, { fields }]) => {
			const told = flattened(fields).flatMap((field) => {
				if (field.kind !== 'member' && field.kind !== 'path') return [];
				const { displayName, description = '' } = field.parameter;
				return [{ member: field.kind === 'member' ? field.member : field.place, displayName, description }];
			});
			return told.flatMap(({ member: own, displayName, description }) =>
				told
					// A member with an underscore is no word of English.
					.filter(({ member }) => member !== own && member.includes('_'))
					.filter(({ member }) =>
						new RegExp(`(?<![\\w.])${member.replaceAll('.', '\\.')}\\b`).test(description),
					)
					.map(
						({ member, displayName: label }) =>
							`${resource}: ${operation}: ${displayName} is described by ${member}, which ${label} fills: ${description}`,
					),
			);
		}),
	);
	expectNone(wrong);
});

/** The texts in the code of the nodes, without those of templates' expressions. */
function textsIn(file: string): string[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		else if (ts.isTemplateExpression(node))
			texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' … '));
		ts.forEachChild(node, visit);
	};
	visit(source);
	return texts;
}

/** The sources in a folder that people have written. */
const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
		(file) => file.endsWith('.ts') && !file.startsWith('contract'),
	);

it('an error or a notice names only what is called so', async () => {
	const labels = new Set([...(await owners()).flatMap((owner) => [...labelsOf(owner)]), ...ofPackage]);
	const nameless = filesIn(ROOT).flatMap((file) =>
		textsIn(path.join(ROOT, file))
			// A sentence, not a name: names are labels themselves, and held against the descriptions above.
			.filter((text) => /\b[a-z]{4,}\b/.test(text) && !labels.has(text))
			.flatMap((text) => namelessIn(text, labels).map((name) => `${file} names "${name}": ${text}`)),
	);
	expectNone(nameless);
});
