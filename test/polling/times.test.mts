import { isLocal, timeOf } from '../../nodes/CustomerMessaging/polling/memory.ts';

const MOMENT = Date.parse('2031-05-06T07:08:09Z');

it.each<unknown>([
	...['2031-05-06T07:08:09Z', '2031-05-06T07:08:09.000000Z', '2031-05-06 07:08:09 ', '2031-05-06T07:08:09z'],
	...['2031-05-06T09:08:09+02:00', '2031-05-06 09:08:09+0200', '2031-05-06T07:08:09'],
])('%j is a moment', (written) => expect(timeOf(written)).toBe(MOMENT));

it.each<unknown>([
	...[null, undefined, '', 0, MOMENT, true, {}, '0000-00-00 00:00:00', 'Tue, 06 May 2031 07:08:09 GMT'],
	...['1936508889', '2031-05-06', '2031-13-01T00:00:00Z', { date: '2031-05-06 07:08:09' }],
])('%j is none', (written) => expect(timeOf(written)).toBeUndefined());

it('a text without a zone is local', () => {
	const local = ['2031-05-06 07:08:09', ' 2031-05-06T07:08:09 '];
	const others = ['2031-05-06T07:08:09Z', '2031-05-06T07:08:09+0200', 'soon', '', 7, null];
	expect([...local, ...others].filter(isLocal)).toEqual(local);
});
