// n8n-core loads some ES modules by dynamic import, so the engine tests need --experimental-vm-modules (set in package.json).
const shared = {
	testEnvironment: 'node',
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs', ignoreDynamic: true },
			},
		],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/test/n8n/node_modules'],
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		{
			...shared,
			displayName: 'node',
			testMatch: ['<rootDir>/test/**/*.test.ts'],
			testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
		},
		{ ...shared, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.ts'] },
	],
};
