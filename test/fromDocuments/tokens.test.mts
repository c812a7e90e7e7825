import { editorOf } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const tenant = OddTenant.inEachTest();
const rows = Array.from({ length: 1000 }, (_, i) => ({
	id: i + 1,
	name: `n${i}`,
	title: `t${i}`,
	uuid: `u${i}`,
}));
const ways: Array<[string, (url: string) => object]> = [
	['link', (url) => ({ data: rows, next_page_url: `${url}/third-party/v1/customers?page=2&x=1` })],
	['links', (url) => ({ data: rows, links: { next: `${url}/third-party/v1/customers?cursor=abc` } })],
	['cursor', () => ({ data: rows, meta: { next_cursor: 'abc' } })],
	['pages', () => ({ data: rows, current_page: 1, last_page: 5, per_page: 1000, total: 5000 })],
	['offset', () => ({ data: rows, offset: 0, limit: 1000, total: 5000 })],
	['whole 5000', () => ({ data: Array.from({ length: 5 }, () => rows).flat() })],
];
it.each(ways)(
	'%s',
	async (_name, body) => {
		tenant.answer(() => body(tenant.url));
		const { methods, context } = await editorOf({ credentials: tenant.credentials, parameters: {} });
		const first = await methods.listSearch?.searchCustomers.call(context);
		if (!first?.paginationToken) return;
		const good = JSON.parse(first.paginationToken as string) as { position: Record<string, unknown> };
		const bad: string[] = [];
		const mutated: unknown[] = [];
		const values: unknown[] = [
			'http://127.0.0.1:9/',
			'//127.0.0.1:9/x',
			`${tenant.url}/other`,
			`${tenant.url}/third-party/v1/../../admin`,
			'/third-party/v1/users/1',
			'a&_method=DELETE',
			'a\r\nb',
			{ method: 'DELETE', proxy: { host: 'x' } },
			['x'],
			-1,
			1e308,
			'x'.repeat(100_000),
			null,
			true,
			'__proto__',
			`${tenant.url}/third-party/v1/settings/general`,
			`${tenant.url}/third-party/v1/customers?page=3&_method=DELETE`,
			`${tenant.url}/third-party/v1/customers/../settings`,
			`${tenant.url}/third-party/v1/customers%2f..%2fsettings`,
		];
		const paths: string[][] = [];
		const walk = (v: unknown, p: string[]) => {
			paths.push(p);
			if (typeof v === 'object' && v)
				for (const k of Object.keys(v)) walk((v as Record<string, unknown>)[k], [...p, k]);
		};
		walk(good, []);
		for (const extra of [
			'url',
			'link',
			'next',
			'cursor',
			'query',
			'qs',
			'method',
			'options',
			'parameter',
			'name',
			'key',
			'value',
			'page',
		])
			paths.push(['position', 'way', extra], ['position', extra]);
		for (const p of paths)
			for (const v of values) {
				const copy = JSON.parse(first.paginationToken as string) as Record<string, unknown>;
				if (p.length === 0) {
					mutated.push(v);
					continue;
				}
				let at: Record<string, unknown> = copy;
				for (const k of p.slice(0, -1)) at = at[k] as Record<string, unknown>;
				if (typeof at !== 'object' || !at) continue;
				at[p.at(-1) as string] = v;
				mutated.push(JSON.stringify(copy));
			}
		for (const token of mutated) {
			tenant.asked.splice(0);
			await methods.listSearch?.searchCustomers
				.call(context, undefined, token as string)
				.catch(() => undefined);
			for (const a of tenant.asked)
				if (!/^GET \/third-party\/v1\/customers(\?|$)/.test(a))
					bad.push(`${a.slice(0, 100)} <- ${String(token).slice(0, 300)}`);
			if (tenant.asked.length > 100) bad.push(`${tenant.asked.length} requests`);
		}
		expect(bad).toEqual([]);
	},
	120_000,
);
