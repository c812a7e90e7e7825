import { loadedPackage } from '../engine/engine.mts';

/** Names of everything in a description, however deep. */
function namesIn(value: unknown): unknown[] {
	if (typeof value !== 'object' || value === null) return [];
	return [...('name' in value ? [value.name] : []), ...Object.values(value).flatMap(namesIn)];
}

it('n8n adds no Request Options to the nodes: what they would say stands once, in the credential', async () => {
	const loader = await loadedPackage();
	const described = Object.keys(loader.nodeTypes).map((name) => loader.getNode(name).type);
	expect(loader.types.nodes).toHaveLength(3);
	expect(described).toHaveLength(3);
	for (const description of [...loader.types.nodes, ...described]) {
		const names = namesIn(description);
		expect(names.some((name) => /^customerMessaging.*Api$/.test(String(name)))).toBe(true);
		for (const name of ['requestOptions', 'batching', 'proxy', 'timeout', 'allowUnauthorizedCerts'])
			expect(names).not.toContain(name);
	}
});
