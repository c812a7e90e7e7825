import type { IDataObject } from 'n8n-workflow';

import { arrive, newMessage } from './arrival.mts';

const file = { data: { id: 'filesystem-v2:workflows/other/secret', mimeType: 'text/plain' } };

describe('a sender cannot make parts of an item', () => {
	it.each<[string, IDataObject]>([
		['json', { json: { id: 1 } }],
		['json and binary', { json: { id: 1 }, binary: file }],
		['binary', { binary: file }],
		['pairedItem', { json: {}, pairedItem: { item: 5 } }],
		['error', { json: {}, error: { message: 'No' } }],
	])('with members of a message: %s', async (_, members) => {
		const message = { ...newMessage(), ...members };
		const { result } = await arrive({ payload: { event: 'new-agent-message', message } });
		expect(result?.workflowData).toEqual([[{ json: { ...message, event: { event: 'new-agent-message' } } }]]);
	});

	it('with members of a whole delivery', async () => {
		const payload = { event: 'new-agent-message', message: newMessage(), json: { id: 1 }, binary: file };
		const { result } = await arrive({ payload, parameters: { output: 'raw' } });
		expect(result?.workflowData).toEqual([[{ json: payload }]]);
	});
});
