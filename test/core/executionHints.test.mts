import { NodeOperationError } from 'n8n-workflow';
import { cut } from '../../nodes/CustomerMessaging/values/text.ts';

import { hintsOf } from '../../nodes/CustomerMessaging/core/hints.ts';
import { errorItem } from '../../nodes/CustomerMessaging/core/errorItems.ts';
import { nodeOf } from '../engine/otherNodes.mts';

const node = nodeOf('Node', 'test.node');
const failed = errorItem(new NodeOperationError(node, 'No'), 0);
const done = { json: { id: 1, error: 'a member of the tenant', status: 'failed' } };

const waits = (requests: number, milliseconds: number) => ({
	notes: new Map<string, number>(),
	waited: { requests, milliseconds },
	cutLists: 0,
	redact: cut,
});

describe('the hints of a run', () => {
	it('are none where every item went as asked, whatever the records hold', () => {
		expect(hintsOf(2, [done, done], waits(0, 0))).toEqual([]);
	});

	it('count the items that failed, and those that went another way than asked', () => {
		const notes = new Map([['were not delivered; each says why', 1200]]);
		expect(hintsOf(4000, [done, failed, failed], { ...waits(0, 0), notes })).toEqual([
			{ message: '2 of 4,000 items failed.', location: 'outputPane', type: 'warning' },
			{
				message: '1,200 of 4,000 items were not delivered; each says why.',
				location: 'outputPane',
				type: 'warning',
			},
		]);
	});

	it('of one kind collapse, each with what it says', () => {
		const notes = new Map([
			['have no field "emial" (Fields)', 2],
			['have no field "nmae" (Fields)', 3],
		]);
		const hints = hintsOf(3, [done], { ...waits(0, 0), notes });
		const group = {
			key: 'have no field … (Fields)',
			summary: '{count} times: items have no field … (Fields)',
		};
		expect(hints.map((hint) => hint.group)).toEqual([
			{ ...group, label: 'have no field "emial" (Fields)' },
			{ ...group, label: 'have no field "nmae" (Fields)' },
		]);
	});

	it.each([
		[1, 'The list ended at Limit'],
		[1240, '1,240 lists ended at Limit'],
	])('tell that Limit ended a list: %i', (cutLists, told) => {
		expect(hintsOf(1, [done], { ...waits(0, 0), cutLists })).toEqual([
			{
				message: `${told}, and there may be more. To get everything, switch on Return All.`,
				location: 'outputPane',
				type: 'info',
			},
		]);
	});

	it('have what the operation tells of all items', () => {
		expect(hintsOf(1, [done], waits(0, 0), 'Nobody was asked.')).toEqual([
			{ message: 'Nobody was asked.', location: 'outputPane', type: 'info' },
		]);
	});

	it.each([
		[1, 999, []],
		[1, 1_000, ['1 request waited for the service, 1 s in all.']],
		[3, 2_400_000, ['3 requests waited for the service, 2,400 s in all.']],
	])('tell of %i requests that waited %i ms for the tenant: %j', (requests, milliseconds, told) => {
		expect(hintsOf(1, [done], waits(requests, milliseconds)).map(({ message }) => message)).toEqual(told);
	});
});
