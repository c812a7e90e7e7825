import { quotaOf } from '../../nodes/CustomerMessaging/api/rateHeaders.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('the quota in the headers of an answer', () => {
	it.each<[string, Record<string, unknown>, object | undefined]>([
		['none', {}, undefined],
		['the draft of 2021', { 'ratelimit-remaining': '7', 'ratelimit-reset': '30' }, [7, 30_000]],
		['in one header', { ratelimit: 'limit=100, remaining=7, reset=30' }, [7, 30_000]],
		['as a structured field', { ratelimit: '"default";r=7;t=30' }, [7, 30_000]],
		['of several policies, the scarcest', { ratelimit: '"day";r=900;t=3600, "hour";r=7;t=30' }, [7, 30_000]],
		['seconds', { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '30' }, [7, 30_000]],
		['parts of a second', { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '0.5' }, [7, 500]],
		[
			'a time in seconds',
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 30) },
			[0, 30_000],
		],
		[
			'a time in milliseconds',
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 30_000) },
			[0, 30_000],
		],
		[
			'a date',
			{ 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': 'Thu, 01 Jan 2026 00:00:30 GMT' },
			[0, 30_000],
		],
		[
			'a time that is over',
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 9) },
			[0, 0],
		],
		['without a time', { 'x-ratelimit-remaining': '0' }, [0, 1_000]],
		['with an unreadable time', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, [0, 1_000]],
		[
			'with a time in the far future',
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1e15' },
			[0, 1_000],
		],
		['unreadable', { 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '30' }, undefined],
		['empty', { 'x-ratelimit-remaining': '', ratelimit: '' }, undefined],
		['negative', { 'x-ratelimit-remaining': '-1' }, undefined],
		['more than once', { 'x-ratelimit-remaining': ['1', '2'] }, undefined],
		['a broken number', { 'x-ratelimit-remaining': '1.9', 'x-ratelimit-reset': '1' }, [1, 1_000]],
	])('%s', (_, headers, expected) => {
		const quota = quotaOf(headers, NOW);
		expect(quota && [quota.remaining, quota.resetAfter]).toEqual(expected);
	});
});
