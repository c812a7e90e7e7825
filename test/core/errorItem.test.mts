import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { errorItem } from '../../nodes/CustomerMessaging/core/errorItems.ts';
import { nodeOf } from '../engine/otherNodes.mts';

const node = nodeOf('Node', 'test.node');

describe('what Continue gives out for a failure', () => {
	it('is the message alone where there is no more to say', () => {
		const item = errorItem(new NodeOperationError(node, 'No'), 5);
		expect(item).toEqual({ json: { error: 'No' }, pairedItem: { item: 5 } });
		expect(Object.keys(item)).toEqual(['json', 'pairedItem']);
		expect((item as { error?: unknown }).error).toBeUndefined();
	});

	it('has the way out, the outcome, what was sent and what was read as details', () => {
		const error = new NodeApiError(node, {}, { message: 'It broke', description: 'Mend it.' });
		const read = { count: 1, first: [{ id: 1 }] };
		Object.assign(error.context, { outcome: 'unknown', sent: { text: 'Hello' }, read });
		expect(errorItem(error, 4).json.details).toEqual({
			description: 'Mend it.',
			outcome: 'unknown',
			sent: { text: 'Hello' },
			read,
		});
	});

	it('carries the error itself, unseen, only where there is an error output', () => {
		const error = new NodeOperationError({ ...node, onError: 'continueErrorOutput' }, 'No');
		const item = errorItem(error, 0);
		expect((item as { error?: unknown }).error).toBe(error);
		expect(Object.keys(item)).toEqual(['json', 'pairedItem']);
	});
});
