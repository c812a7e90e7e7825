import { config } from '@n8n/node-cli/eslint';
import jest from 'eslint-plugin-jest';

/** A test that is left out, or leaves the others out, proves nothing. */
const NO_LEFT_OUT_TEST = 'Run this test or take it away: one that is left out proves nothing.';
const leftOut = ['describe', 'it', 'test'].flatMap((object) =>
	['failing', 'only', 'skip', 'todo'].map((property) => ({ object, property, message: NO_LEFT_OUT_TEST })),
);

export default [
	{ ignores: ['dist/', '.stryker-tmp/', '**/node_modules/', '.n8n-demo*/', 'coverage/'] },
	...config,
	{
		// These folders are never published: n8n's rules for code that runs inside n8n do not apply to them.
		files: ['test/**/*.ts', 'sandbox/**/*.ts', 'scripts/**/*.ts'],
		rules: {
			'@n8n/community-nodes/no-restricted-imports': 'off',
			'@n8n/community-nodes/no-restricted-globals': 'off',
			'@n8n/community-nodes/no-hardcoded-secrets': 'off',
			'@n8n/community-nodes/no-dangerous-functions': 'off',
			'@n8n/community-nodes/require-node-api-error': 'off',
			'import-x/no-unresolved': 'off',
			'no-console': 'off',
		},
	},
	{
		files: ['test/**/*.test.ts'],
		plugins: { jest },
		rules: {
			'jest/no-commented-out-tests': 'error',
			'jest/no-disabled-tests': 'error',
			'jest/no-focused-tests': 'error',
			'jest/no-identical-title': 'error',
			'no-restricted-properties': ['error', ...leftOut],
		},
	},
];
