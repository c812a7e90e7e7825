import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const projectFolder = path.join(import.meta.dirname, '..', '..');

/** Folders without documents of this project. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'coverage', '.git', '.n8n-demo']);

/** The names of all documents, relative to the project, with slashes. */
export function markdownFiles(folder = ''): string[] {
	return readdirSync(path.join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) => {
		const name = path.posix.join(folder, entry.name);
		if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : markdownFiles(name);
		return entry.name.endsWith('.md') ? [name] : [];
	});
}

/** A document of the project. */
export const readDocument = (file: string): string => readFileSync(path.join(projectFolder, file), 'utf8');

const withoutCode = (text: string) => text.replace(/^(```|~~~)[^]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');

/** Where the links and pictures of a document go, as they are written. */
export function linksOf(text: string): string[] {
	const prose = withoutCode(text);
	return [
		...[...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map(([, target]) => target),
		...[...prose.matchAll(/\s(?:href|src|srcset)="([^"]+)"/g)].map(([, target]) => target),
		...[...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)].map(([, target]) => target),
	];
}

/** What a document has in italics, each with single spaces: the labels of the editor. */
export const emphasizedIn = (text: string): string[] =>
	[...withoutCode(text).matchAll(/(?<![\w_])_([^_]+?)_(?![\w_])|(?<![\w*])\*([^*\n]+?)\*(?![\w*])/g)].map(
		([, low, star]) => (low ?? star).replace(/\s+/g, ' '),
	);

const sources = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			path.join(folder, file),
		),
	)
	.filter((file) => file.endsWith('.ts'))
	.map(readDocument)
	.join('\n');

/** Whether the nodes or credentials give this text. `…` stands for a value. */
export const isInSources = (words: string): boolean =>
	words.split('…').every((part) => sources.includes(part.trim()));

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
	const anchors = new Set<string>();
	const seen = new Map<string, number>();
	for (const [, heading] of text.replace(/^(```|~~~)[^]*?^\1/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
		const anchor = heading
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
			.replaceAll(' ', '-');
		const times = seen.get(anchor) ?? 0;
		seen.set(anchor, times + 1);
		anchors.add(times === 0 ? anchor : `${anchor}-${times}`);
	}
	return anchors;
}

/** What is wrong with a link, or undefined. Nothing is asked of the network. */
export function problemOf(file: string, link: string): string | undefined {
	if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return problemOfExternal(link);
	const [target, anchor] = link.split('#');
	const found = target === '' ? file : path.posix.join(path.posix.dirname(file), decodeURIComponent(target));
	if (found.startsWith('..')) return 'leaves the project';
	if (!existsSync(path.join(projectFolder, found))) return 'no such file';
	if (anchor === undefined) return undefined;
	if (!found.endsWith('.md')) return 'an anchor in something other than a document';
	return anchorsOf(readDocument(found)).has(anchor) ? undefined : 'no such heading';
}

function problemOfExternal(link: string): string | undefined {
	if (!URL.canParse(link)) return 'not a URL';
	const { protocol, hostname } = new URL(link);
	if (protocol !== 'https:') return 'not https';
	return hostname.includes('.') ? undefined : 'no public host';
}

/** The npm scripts that a document names. */
export const npmScriptsOf = (text: string): string[] => [
	...[...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name),
	...[...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name]) => name),
];

/** Endings of what is a file of the project, also where it stands alone. */
const FILE = /[^/]\.(?:c?js|json|md|mjs|mts|svg|ts|txt|yaml|yml)$/;

/** The files and folders that a document names in its code, as they are written. `<name>` and `*` stand for any name. */
export function pathsOf(text: string): string[] {
	const spans = [...text.replace(/^(```|~~~)[^]*?^\1/gm, '').matchAll(/`([^`\n]+)`/g)].map(
		([, span]) => span,
	);
	const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block);
	const lines = blocks.flatMap((block) => block.split('\n').map((line) => line.replace(/ #.*/, '')));
	const isCommand = (span: string) => /^(?:npm|npx) /.test(span);
	const words = [...spans, ...lines.filter(isCommand)].flatMap((span) =>
		isCommand(span) ? span.split(' ') : [span],
	);
	return words.filter(
		(word) =>
			/^[\w./*<>-]+$/.test(word) && (FILE.test(word) || word.endsWith('/') || word.startsWith('test/')),
	);
}
