import * as n8nWorkflow from 'n8n-workflow';

import { dependentFields } from '../../../nodes/CustomerMessaging/n8nInternals/webhookDescription.ts';
import { nodeOf } from '../guards/otherNodes.mts';

const description = dependentFields({
	responseMode: {
		template: '={{ $parameter["responseMode"] }}',
		resolve: ({ responseMode }) => responseMode as string,
	},
});

/** What n8n 2.41 reads a field with; n8n 1 has nothing like it. */
const resolve: unknown = Reflect.get(n8nWorkflow, 'resolveWebhookDescriptionField');

it('is an expression for whoever does not know the symbol', () => {
	expect(Object.keys(description)).toEqual(['responseMode']);
	expect(description.responseMode).toBe('={{ $parameter["responseMode"] }}');
});

it(`is read by n8n ${process.env.N8N_GENERATION ?? '2'} as expected`, () => {
	const node = { ...nodeOf('Trigger', 'test.trigger'), parameters: { responseMode: 'lastNode' } };
	const found: unknown =
		typeof resolve === 'function' ? resolve(node, description, 'responseMode') : undefined;
	const expected = process.env.N8N_GENERATION === '1' ? undefined : { resolved: true, value: 'lastNode' };
	if (JSON.stringify(found) === JSON.stringify(expected)) return;
	throw new Error(
		`n8n reads the fields of webhook descriptions in another way now (${JSON.stringify(found)}): look at WEBHOOK_RESOLVERS in n8n-workflow, and mend n8nInternals/webhookDescription.ts.`,
	);
});
