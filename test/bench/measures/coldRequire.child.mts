// Prints how many milliseconds it takes to load a node as n8n's loader does, in a process that has n8n-workflow loaded.
import { createRequire } from 'node:module';
import 'n8n-workflow';

type Module = Record<string, new () => unknown>;

const [file, className] = process.argv.slice(2);
const load = createRequire(file);
const startedAt = performance.now();
const loaded = load(file) as Module;
new loaded[className]();
console.log(performance.now() - startedAt);
