import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { committedSchemas, outputSchemas } from '../../scripts/outputSchemas.mts';
import { expectNone } from '../engine/expectNone.mts';
import { nodeDescription, shownOperations } from '../description/nodeDescription.mts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

const FOLDER = 'nodes/CustomerMessaging/__schema__';

it('the committed output schemas are those that the contract gives', async () => {
	const [expected, committed] = [outputSchemas(), await committedSchemas()];
	expect(expected.size).toBeGreaterThan(70);
	const files = [...new Set([...expected.keys(), ...committed.keys()])];
	expectNone(
		files
			.filter((file) => committed.get(file) !== expected.get(file))
			.map((file) => `${FOLDER}/${file}: not what the contract gives; run npm run generate`),
	);
});

it('every operation of the node has an output schema', async () => {
	const schemas = [...outputSchemas().keys()];
	expectNone(
		shownOperations(await nodeDescription())
			.filter(
				({ resource, operation }) => !schemas.some((file) => file.endsWith(`/${resource}/${operation}.json`)),
			)
			.map(
				({ resource, operation }) =>
					`nodes/CustomerMessaging/operations/${resource}.ts: no "${operation}"; add it, and the resource to index.ts`,
			),
	);
});

it('the committed types of the contract are those that it gives', async () => {
	const cli = path.join(PROJECT, 'node_modules/openapi-typescript/bin/cli.js');
	const { stdout } = await promisify(execFile)(process.execPath, [cli, 'sandbox/openapi.yaml'], {
		...{ cwd: PROJECT, maxBuffer: 10_000_000 },
	});
	const file = 'nodes/CustomerMessaging/contract/contract.types.ts';
	const isOld = readFileSync(path.join(PROJECT, file), 'utf8').trim() !== stdout.trim();
	expectNone(isOld ? [`${file}: not what sandbox/openapi.yaml gives; run npm run generate`] : []);
});
