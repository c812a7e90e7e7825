import { committedSchemas, outputSchemas } from '../../scripts/outputSchemas.mts';
import { expectNone } from '../engine/expectNone.mts';
import { nodeDescription, shownOperations } from '../matrix/shownParameters.mts';

const FOLDER = 'nodes/CustomerMessaging/__schema__';

it('the committed output schemas are those that the contract gives', async () => {
	const [expected, committed] = [outputSchemas(), await committedSchemas()];
	expect(expected.size).toBeGreaterThan(70);
	const files = [...new Set([...expected.keys(), ...committed.keys()])];
	expectNone(
		files
			.filter((file) => committed.get(file) !== expected.get(file))
			.map((file) => `${FOLDER}/${file}: not what the contract gives; run npm run schemas`),
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
					`nodes/CustomerMessaging/resources/operations.ts: no "${operation}" of "${resource}"; add it to the operations of the resource, and the resource to this file`,
			),
	);
});
