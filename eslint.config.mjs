import { config } from '@n8n/node-cli/eslint';

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
			'@n8n/community-nodes/require-node-api-error': 'off',
			'import-x/no-unresolved': 'off',
			'no-console': 'off',
		},
	},
];
