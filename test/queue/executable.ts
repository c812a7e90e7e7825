import { accessSync, constants, globSync } from 'node:fs';
import path from 'node:path';

/** Where Debian keeps the programs of PostgreSQL, which are not on its path. */
const DEBIAN_FOLDERS = '/usr/lib/postgresql/*/bin';
