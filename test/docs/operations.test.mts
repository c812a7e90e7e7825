import { documents } from '../../scripts/operationsTable.mts';

it('the tables of operations are those of the node (npm run docs:operations writes them)', async () => {
	const written = await documents();
	expect(written.map(({ file }) => file)).toEqual(['README.md', 'docs/operations.md']);
	for (const { committed, current } of written) expect(committed).toBe(current);
});
