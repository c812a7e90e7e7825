// npm run generate: writes what saved workflows rely on into test/compatibility. Read the change before you commit it:
// a line that goes or changes breaks workflows that people have saved.
import '../test/jest/engineSettings.js';

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { storedParameters } from '../test/compatibility/storedParameters.mts';

const file = path.resolve(import.meta.dirname, '../test/compatibility/storedParameters.txt');

void storedParameters().then((lines) => writeFileSync(file, `${lines.join('\n')}\n`));
