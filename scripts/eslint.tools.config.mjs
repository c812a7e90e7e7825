// What is never published: tests, sandbox and scripts. The package itself is held to n8n's own rules (eslint.config.mjs), which
// look at `.ts` files alone.
import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import jest from 'eslint-plugin-jest';
import { flatConfigs as importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** A test that is left out, or leaves the others out, proves nothing. */
const NO_LEFT_OUT_TEST = 'Run this test or take it away: one that is left out proves nothing.';
const leftOut = ['describe', 'it', 'test'].flatMap((object) =>
	['failing', 'only', 'skip', 'todo'].map((property) => ({ object, property, message: NO_LEFT_OUT_TEST })),
);

export default tseslint.config(
	{ ignores: ['dist/', 'sandbox/dist/', '.n8n-demo*/', 'coverage/'] },
	{
		files: ['**/*.mts'],
		extends: [js.configs.recommended, tseslint.configs.recommended, importX.recommended, importX.typescript],
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
		rules: {
			// TypeScript finds what is missing, and `fc.…` is how fast-check is used.
			'import-x/no-unresolved': 'off',
			'import-x/no-named-as-default': 'off',
			'import-x/no-named-as-default-member': 'off',
		},
	},
	{
		files: ['**/*.{js,cjs,mjs}'],
		extends: [js.configs.recommended],
		// Some of them run in Node.js, some in a browser.
		rules: { 'no-undef': 'off' },
	},
	{
		files: ['test/**/*.test.mts'],
		plugins: { jest },
		rules: {
			'jest/no-commented-out-tests': 'error',
			'jest/no-disabled-tests': 'error',
			'jest/no-focused-tests': 'error',
			'jest/no-identical-title': 'error',
			'no-restricted-properties': ['error', ...leftOut],
		},
	},
);
