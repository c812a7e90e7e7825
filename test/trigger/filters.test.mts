import type { IDataObject } from 'n8n-workflow';

import { readFilters } from '../../nodes/CustomerMessaging/trigger/events.ts';
import { arrive, eventOf } from '../engine/arrival.mts';

const message: IDataObject = {
	...{ id: 7, conversation_id: 3, from: 'Agent', source: 'API', status: 'created', ca_template_id: 9 },
	contents: [{ type: 'template', template: { name: 'shipped' } }],
};

const problems = (filters: IDataObject, change: IDataObject = {}) =>
	readFilters(filters)({ ...message, ...change });
const ON = [true, 1, 'yes', 'TRUE'];
const failed = { onlyFailed: true };

/** Filters, and changes of the message with which it passes, or does not. */
const PASSING: Array<[IDataObject, ...IDataObject[]]> = [
	...[{}, { conversation: '3' }, { conversation: 3 }, { conversation: '1, 3' }, { conversation: [1, 3] }],
	...[{ from: ['bot', 'agent'] }, { status: ' failed , created ' }, { status: ' , ' }, { status: [] }],
	...[{ template: '8, 9' }, { template: 'Shipped' }, { template: ['9', 7] }, { template: [] }],
	...[false, null, '', 0, 'no', ' False '].map((onlyFailed) => ({ onlyFailed })),
	{ from: 'agent', source: 'api', status: 'CREATED', template: 9, conversation: 3 },
].map((filters): [IDataObject, IDataObject] => [filters as IDataObject, {}]);
PASSING.push(
	[{ from: '5' }, { from: 5 }],
	[{ template: 't-7' }, { ca_template_id: 't-7' }],
	...ON.map((onlyFailed): [IDataObject, IDataObject] => [{ onlyFailed }, { status: ' FAILED\n' }]),
	...[{ id: 1 }, 'Blocked', { id: null, type: 'blocked' }].map((latest_error): [IDataObject, IDataObject] => [
		failed,
		{ latest_error },
	]),
);
const FAILING: Array<[IDataObject, IDataObject?]> = [
	...[{ conversation: 4 }, { conversation: '33' }, { from: 'customer' }, { status: 'create' }],
	...[{ from: 'agent', source: 'app' }, { from: 'agent', status: 'failed' }, { status: 'failed,,' }],
	...[{ template: '99' }, { template: 'welcome' }, { template: [7] }, { template: '8,7' }],
	...ON.map((onlyFailed) => ({ onlyFailed })),
].map((filters): [IDataObject] => [filters]);
FAILING.push(
	[{ status: 'created' }, { status: null }],
	[{ template: 9 }, { ca_template_id: null }],
	[failed, { status: 'not failed' }],
	[{ ...failed, status: 'failed' }, { latest_error: { id: 1 } }],
	...[null, {}, '', ' \n', [], [{}], false, { id: null, original_message: ' ' }].map(
		(latest_error): [IDataObject, IDataObject] => [failed, { latest_error: latest_error as IDataObject }],
	),
);

it.each(PASSING)('a message passes %j: %j', (...given) => expect(problems(...given)).toEqual([]));

it.each(FAILING)('a message does not pass %j: %j', (...given) => expect(problems(...given)).not.toEqual([]));

it.each(['conversation', 'from', 'source', 'status', 'template'])(
	'a message without what %s asks for does not pass, whatever empty parts the filter has',
	(name) => {
		for (const value of ['x', 'x,', ' ,x', 'null', 'undefined', ['x', '']])
			expect(readFilters({ [name]: value })({})).toHaveLength(1);
		expect(readFilters({ [name]: '' })({})).toEqual([]);
	},
);

it('what a message does not pass is told with the values that it has', () => {
	const filters = { conversation: 4, from: 'agent', status: 'failed', template: 'welcome', ...failed };
	expect(problems(filters, { status: null })).toEqual([
		...['there is no error (Only Failed)', 'Conversation is 3', 'Status is null', 'Template is 9 or shipped'],
	]);
	expect(problems({ source: 'app' })).toEqual(['Source is API']);
});

it('the trigger starts for the messages that pass, also with values from an expression', async () => {
	const parameters = { filters: { conversation: '={{ [1, 2] }}', template: '5' } };
	const given = [1, 2, 3].map((conversation_id) => eventOf({ conversation_id, ca_template_id: 5 }));
	const { items } = await arrive({ parameters, payload: given });
	expect(items?.map(({ conversation_id }) => conversation_id)).toEqual([1, 2]);
});
