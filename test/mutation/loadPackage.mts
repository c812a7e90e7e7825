import packageJson from '../../package.json';
import { loadedPackage } from '../engine/engine.mts';

// Before any test, so that what runs at loading is not taken for code that only the first test reaches.
beforeAll(async () => {
	await loadedPackage();
});

it('loads the compiled package', async () => {
	expect(Object.keys((await loadedPackage()).nodeTypes)).toHaveLength(packageJson.n8n.nodes.length);
});
