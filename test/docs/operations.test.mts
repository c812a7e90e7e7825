import { readme } from '../../scripts/operationsTable.mts';
import { expectNone } from '../engine/expectNone.mts';

it('the table of operations is that of the node', async () => {
	const { committed, current } = await readme();
	expectNone(
		committed === current
			? []
			: ['README.md: its operations are not those of the node; run npm run generate'],
	);
});
