import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(import.meta.dirname, 'version.mts'));

/** The version of this package, the same from its sources and compiled. */
export const { version: VERSION } = require('customer-messaging-sandbox/package.json') as { version: string };
