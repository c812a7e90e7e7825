import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const NODES = path.resolve(import.meta.dirname, '../../nodes/CustomerMessaging');

/** The folders from the top layer down: a folder uses those in layers below it, and itself. */
const LAYERS = [
	['editor'],
	['operations'],
	['messages', 'customers', 'polling'],
	['sets', 'files'],
	['fields'],
	['core', 'trigger'],
	['api'],
	['contract', 'values', 'n8nInternals'],
];

const files = readdirSync(NODES, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);
const folderOf = (file: string) => (file.includes(path.sep) ? file.split(path.sep)[0] : 'nodes');
const layerOf = (folder: string) => LAYERS.findIndex((folders) => folders.includes(folder));

/** The files of the nodes that a file imports. */
function importsOf(file: string): string[] {
	const text = readFileSync(path.join(NODES, file), 'utf8');
	return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, name]) =>
		path.join(path.dirname(file), `${name}.ts`),
	);
}

it('the nodes have no other folders than those of the layers', () => {
	const folders = new Set(files.map(folderOf));
	expect([...folders].sort()).toEqual(['nodes', ...LAYERS.flat()].sort());
});

it('a folder uses only what is below it', () => {
	const upward = files.flatMap((file) =>
		importsOf(file)
			.filter((other) => {
				const [from, to] = [folderOf(file), folderOf(other)];
				return from !== to && from !== 'nodes' && (to === 'nodes' || layerOf(to) <= layerOf(from));
			})
			.map((other) => `${file} imports ${other}, which is not below it`),
	);
	expect(upward).toEqual([]);
});

it('no file imports itself in a circle', () => {
	const done = new Set<string>();
	const circles: string[] = [];
	const visit = (file: string, way: string[]) => {
		if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
		if (done.has(file) || way.includes(file)) return;
		for (const other of importsOf(file)) visit(other, [...way, file]);
		done.add(file);
	};
	for (const file of files) visit(file, []);
	expect(circles).toEqual([]);
});

const ARCHITECTURE = readFileSync(path.resolve(NODES, '../../docs/architecture.md'), 'utf8');

it('the document about the architecture has each folder with its imports', () => {
	const [, table] = ARCHITECTURE.split('## Layers');
	const told = [...table.matchAll(/^\| `(\w+)\/` \| .+ \| (.+?) \|$/gm)].map(([, folder, others]) => [
		folder,
		others,
	]);
	const imported = LAYERS.flat().map((folder) => {
		const others = files
			.filter((file) => folderOf(file) === folder)
			.flatMap(importsOf)
			.map(folderOf);
		const used = LAYERS.flat().filter((other) => other !== folder && others.includes(other));
		return [folder, used.join(', ') || 'nothing'];
	});
	expect(told).toEqual(imported);
});

/** What a module makes as it is loaded, and changes later. Sets and maps of words never change. */
const STATE =
	/^(?:const|let|export const|\tprivate static readonly) (\w+) = (?:new (?:WeakMap|ProcessMemory)\b|new Map<|randomBytes)|^let (\w+)/gm;

it('the document about the architecture has the state of modules', () => {
	const [, table] = ARCHITECTURE.split('## State of modules');
	const told = [...table.matchAll(/^\| `(\w+)` \| `([\w/]+\.ts)`/gm)].map(
		([, name, file]) => `${file} ${name}`,
	);
	const found = files.flatMap((file) =>
		[...readFileSync(path.join(NODES, file), 'utf8').matchAll(STATE)].map(
			([, name, other]) => `${file} ${name ?? other}`,
		),
	);
	expect(told.sort()).toEqual(found.sort());
});

it('exports nothing that no other file uses', () => {
	const root = path.resolve(NODES, '../..');
	const sourcesIn = (folder: string): string[] =>
		readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
			const file = path.join(folder, entry.name);
			if (entry.isDirectory()) return /^(?:node_modules|dist)$/.test(entry.name) ? [] : sourcesIn(file);
			return /\.m?ts$/.test(file) ? [file] : [];
		});
	const texts = ['nodes', 'credentials', 'test', 'scripts', 'sandbox', 'tenant-check']
		.flatMap(sourcesIn)
		.map((file) => [file, new Set(readFileSync(path.join(root, file), 'utf8').match(/\w+/g))] as const);
	const unused = files.flatMap((file) => {
		const own = path.join('nodes/CustomerMessaging', file);
		const exported = readFileSync(path.join(root, own), 'utf8').matchAll(
			/^export (?:async )?(?:class|const|function\*?|interface|type) (\w+)/gm,
		);
		return [...exported]
			.filter(([, name]) => !/\.node\.ts$|^contract/.test(file) && !/^__/.test(name))
			.filter(([, name]) => !texts.some(([other, words]) => other !== own && words.has(name)))
			.map(([, name]) => `${file}: ${name}`);
	});
	expect(unused).toEqual([]);
});
