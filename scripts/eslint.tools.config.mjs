// What is never published: tests, sandbox and scripts. The package itself is held to n8n's own rules (eslint.config.mjs), which
// look at `.ts` files alone.
import path from 'node:path';

import js from '@eslint/js';
import jest from 'eslint-plugin-jest';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

/** A test that is left out, or leaves the others out, proves nothing. */
const NO_LEFT_OUT_TEST = 'Run this test or take it away: one that is left out proves nothing.';
const leftOut = ['describe', 'it', 'test'].flatMap((object) =>
	['failing', 'only', 'skip', 'todo'].map((property) => ({ object, property, message: NO_LEFT_OUT_TEST })),
);

/** Types whose values become text and numbers without a call of their members. */
const PRIMITIVE =
	ts.TypeFlags.StringLike |
	ts.TypeFlags.NumberLike |
	ts.TypeFlags.BigIntLike |
	ts.TypeFlags.BooleanLike |
	ts.TypeFlags.Null |
	ts.TypeFlags.Undefined;

/** Refuses `Number(value)` and the like where the value may be an object: one with a member `valueOf` makes it throw. */
const numbersOfPrimitives = {
	meta: { type: 'problem', schema: [], messages: { foreign: 'This throws for some values: use numericOf.' } },
	create(context) {
		const { parserServices } = context.sourceCode;
		const isPrimitive = (type) =>
			type.isUnion() ? type.types.every(isPrimitive) : (type.flags & PRIMITIVE) !== 0;
		return {
			'CallExpression[callee.name=/^(Number|BigInt|isNaN|isFinite)$/] > .arguments'(node) {
				const type = parserServices.getTypeAtLocation(node);
				const checker = parserServices.program.getTypeChecker();
				if (!isPrimitive(checker.getBaseConstraintOfType(type) ?? type))
					context.report({ node, messageId: 'foreign' });
			},
		};
	},
};

export default tseslint.config(
	{ ignores: ['dist/', 'sandbox/dist/', '.n8n-demo*/', 'coverage/'] },
	{
		files: ['**/*.mts'],
		// TypeScript finds what is imported and is not there.
		extends: [js.configs.recommended, tseslint.configs.recommended],
	},
	{
		// What a tenant, a sender or a client gives is any value. Most ways to make a text or a number of it throw.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.mts'],
		extends: [tseslint.configs.base],
		languageOptions: {
			// Each is far smaller than the whole project, which would be compiled for one of their files.
			parserOptions: {
				project: ['nodes/tsconfig.json', 'sandbox/tsconfig.json'],
				tsconfigRootDir: path.resolve(import.meta.dirname, '..'),
			},
		},
		plugins: { foreign: { rules: { numbersOfPrimitives } } },
		rules: {
			'foreign/numbersOfPrimitives': 'error',
			'@typescript-eslint/no-base-to-string': ['error', { checkUnknown: true }],
			'@typescript-eslint/restrict-template-expressions': [
				'error',
				{ allowNumber: true, allowBoolean: true, allowNullish: true },
			],
			'@typescript-eslint/restrict-plus-operands': 'error',
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
