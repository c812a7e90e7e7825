import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resultText, toMarkdown, writeReport } from '../../scripts/tenantReport/report.mts';
import { check, serve, withTenant } from './tenants.mts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'tenant-report-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const contents = async () =>
	await Promise.all(
		(await readdir(folder)).map(async (name) => await readFile(path.join(folder, name), 'utf8')),
	);

const status =
	(code: number, headers = {}): RequestListener =>
	(_request, response) =>
		response.writeHead(code, headers).end();

it.each<[string, RequestListener, string]>([
	['refuses the token', status(401), '401 (1)'],
	['lets read nothing', status(403), '403 ('],
	['is another service', status(404), '404 (1)'],
	['is out of order', status(500), '500 (1)'],
	['takes no more requests', status(429, { 'retry-after': '3600' }), '429 (1)'],
	['redirects', status(302, { location: 'https://a.example' }), '302 (1)'],
	['is a website', (_request, response) => response.end('<html>'), '200 (1)'],
	['closes the connection', (request) => void request.socket.destroy(), 'none'],
	['is silent', () => undefined, 'none'],
])(
	'of a tenant that %s, no report calls it free of differences or replaces one that knows more',
	async (_what, answer, statuses) => {
		await withTenant({}, async (tenant) => {
			expect(writeReport(folder, (await check(tenant)).report, tenant.token)).toHaveLength(2);
		});
		const good = await contents();
		const { url } = await serve(answer);
		const { report } = await check({ url, token: 'a-token' }, { longestRequestMs: 300 });
		const sentence = `Nothing could be read, so nothing is known about differences. Statuses of the responses: ${statuses}`;
		for (const text of [resultText(report), toMarkdown(report)]) {
			expect(text).toContain(sentence);
			expect(text).not.toMatch(/No differences were seen/);
		}
		expect(writeReport(folder, report, 'a-token')).toEqual([]);
		expect(await contents()).toEqual(good);
	},
);
