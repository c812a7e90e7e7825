import { documents } from '../../scripts/operationsTable.mts';
import { expectNone } from '../engine/expectNone.mts';

it('the tables of operations are those of the node', async () => {
	const written = await documents();
	expect(written.map(({ file }) => file)).toEqual(['README.md', 'docs/operations.md']);
	expectNone(
		written
			.filter(({ committed, current }) => committed !== current)
			.map(({ file }) => `${file}: its operations are not those of the node; run npm run generate`),
	);
});
