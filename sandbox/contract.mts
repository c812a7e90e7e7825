import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Where the contract lies; the sandbox answers GET /support/openapi with this file. */
export const CONTRACT_FILE = join(import.meta.dirname, 'openapi.yaml');

/** The path that every operation is under. */
export const PREFIX = '/third-party/v1';

/** The contract as an object; a fresh one each time, since readers of it change it. */
export const loadContract = (): object => parse(readFileSync(CONTRACT_FILE, 'utf8')) as object;
