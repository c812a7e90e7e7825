import { gzipSync } from 'node:zlib';

import { readDocument } from '../docs/markdown.mts';
import { ROWS } from '../../tenant-check/report.mts';
import { type Answers, check, scripted, type Write } from './scriptedAccount.mts';

const sends =
	(body: Buffer | string, status = 200, headers: Record<string, string> = {}): Write =>
	(response) =>
		void response.writeHead(status, headers).end(body);

/** Answers one request after another; the last one stays. */
function inOrder(...answers: Write[]): Write {
	let next = 0;
	return (response) => answers[Math.min(next++, answers.length - 1)](response);
}

const tags = (answer: object) => ({ '/tags': answer });
const tag = (more: object) => tags([{ id: 1, title: 'VIP', ...more }]);
const missing = (answer: object) => ({ '/tags/999999937': answer });
const wait = (status: number, given: string) =>
	inOrder(sends('', status, { 'retry-after': given }), sends('[]'));
const latin1 = Buffer.from('{"data":["\xfc"]}', 'latin1');
const cutPage = inOrder(sends('{"data":[{"id":1}],"next":"?page=2"}'), sends('{}', 404));

it.each<[string, string, Answers]>([
	['Body', 'JSON in UTF-8', tags(sends(gzipSync('[]'), 200, { 'content-encoding': 'gzip' }))],
	['List', 'data, an array', tags([{ id: 1 }])],
	['Record', 'the object itself, data', { '/me': { id: 1 } }],
	['IDs', 'numbers, numbers as text', tag({ id: '7' })],
	['Whole list', 'as many records as the total', tags({ data: [{ id: 1 }], meta: { total: 1 } })],
	['Failure', 'success: false with status 200, status 404 for a record', { '/users': { success: false } }],
	['Error text', 'none: that of the status is shown', missing(sends('', 404))],
	['Times', 'ISO 8601 without a zone, which is that of the w', tag({ created_at: '2026-01-05T10:00:00' })],
	['Status 429 or 503', 'Retry-After', tags(wait(429, '0'))],
])('the row %s is kept by: %s', async (row, forms, answers) => {
	const { rows, problem } = await check((await scripted(answers)).url);
	expect([problem, rows[row]]).toEqual([undefined, expect.stringContaining(`keeps it: ${forms}`)]);
});

it.each<[string, string, Answers]>([
	['Body', 'a page of HTML', tags(sends('<!doctype html><title>Log in</title>'))],
	['Body', 'bytes that are not UTF-8', tags(sends(latin1))],
	['Body', 'text that is not JSON', tags(sends('{"data":['))],
	['Body', 'an empty body', tags(sends(''))],
	['Body', 'more than 32 MB', tags(sends(Buffer.alloc(33 * 1024 * 1024, ' ')))],
	['Record', 'no field of the interface at the top or in data', { '/me': { user: { id: 1 } } }],
	['List', 'no list at the top or in data', tags({ tags: [] })],
	['List', 'a list of something other than records', tags({ data: ['VIP'] })],
	['List', 'records without id', tags({ data: [{ title: 'VIP' }] })],
	['List', 'an ID twice on one page', tags([{ id: 1 }, { id: 1 }])],
	['IDs', 'text that is not a whole number', tag({ id: 'tag_7' })],
	['IDs', 'a fraction, or a number above 2^53', tags(sends('[{"id":9007199254740993}]'))],
	['IDs', 'a UUID in another form', { '/me/notifications': [{ uuid: 'n-1' }] }],
	['Next page', 'more records, but no form that leads to them', tags({ data: [{ id: 1 }], total: 2 })],
	['Next page', 'more records, but no form that leads to them', tags({ data: [], has_more: true })],
	['Next page', 'a failure in place of the next page', tags(cutPage)],
	['Whole list', 'the same page twice', tags({ data: [{ id: 1 }], next: '?page=2' })],
	['Failure', 'status 200 for a record that does not exist', missing({ data: {} })],
	['Error text', 'JSON without message, error and errors', missing(sends('{"detail":"No"}', 404))],
	['Times', 'times that are not ISO 8601', tag({ created_at: '05.01.2026' })],
	['Status 429 or 503', 'neither seconds nor a date', tags(wait(503, 'soon'))],
])('the row %s is not kept by: %s', async (row, seen, answers) => {
	const { rows } = await check((await scripted(answers)).url);
	const { breaks } = Object.values(ROWS).find(({ title }) => title === row) ?? {};
	const request = /^does not keep it: (GET \/[\w/{}]+|Retry-After): (.*)$/.exec(rows[row]);
	expect(request?.[2]).toBe(`${seen}. What breaks: ${breaks}`);
});

it('several requests with the same problem are one part of the line', async () => {
	const { rows } = await check(
		(await scripted({ ...tags({ tags: [] }), '/groups': {}, '/users': ['a'] })).url,
	);
	expect(rows.List).toBe(
		`does not keep it: GET /users: a list of something other than records; GET /tags and 1 more: no list at the top or in data. What breaks: ${ROWS.list.breaks}`,
	);
});

it('what shows no record, says no or does not respond is named as not read', async () => {
	const silent: Write = (response) => void response.destroy();
	const { text } = await check((await scripted({ '/users': sends('', 403), '/agents': silent })).url);
	expect(text).toMatch(/\n\nNot read: [^\n]*GET \/users \(status 403\), [^\n]*GET \/agents \(no response\)/);
	expect(text).toContain('GET /tags/{id} (no record for it was shown)');
});

it('each row has a line, and stands in the document with what is supported', async () => {
	const { rows } = await check((await scripted({})).url);
	const titles = Object.values(ROWS).map(({ title }) => title);
	expect(Object.keys(rows).filter((title) => title !== 'undefined')).toEqual(titles);
	const table = readDocument('docs/running.md').matchAll(/^\| ([^|]+?) +\| [^|]+\|$/gm);
	expect([...table].map(([, title]) => title)).toEqual(expect.arrayContaining(titles));
});
