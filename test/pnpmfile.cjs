// How pnpm reads the packages of n8n (see `n8n-2/pnpm-workspace.yaml`).

/** Some packages name one system where a list is due, which pnpm passes over. */
const listed = (value) => (value === undefined ? undefined : [value].flat());

/**
 * Without peer dependencies, there is one copy of a package for all that need it at a version, as where npm installs n8n: classes of
 * LangChain are compared across packages.
 */
const readPackage = (manifest) => ({
	...manifest,
	peerDependencies: undefined,
	peerDependenciesMeta: undefined,
	os: listed(manifest.os),
	cpu: listed(manifest.cpu),
});

module.exports = { hooks: { readPackage } };
