import type { SentRequest, TestTenant } from '../engine/tenant.mts';
import type { Reached } from './runCase.mts';

/** What differs from run to run: times, generated UUIDs, the tenant's port, secrets, signatures, boundaries. */
function steady(tenant: TestTenant, value: string): string {
	return value
		.replaceAll(tenant.sandbox.url, '<tenant>')
		.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
		.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
		.replace(/axios-[\d.]+-boundary-[\w-]+/g, '<boundary>')
		.replace(/(Content-Type: [^\r\n]+\r\n\r\n)[^]*?(?=\r\n--)/g, '$1<bytes>')
		.replace(/"openapi":".*"/, '"openapi":"<contract>"')
		.replace(/(signature|expires|question)=[\w-]+/g, '$1=<$1>');
}

const lineOf = (tenant: TestTenant, { method, path, query, body }: SentRequest) =>
	steady(
		tenant,
		[
			`${method} ${path.replace('/third-party/v1', '')}`,
			...Object.entries(query).map(([name, value]) => `?${name}=${String(value)}`),
			body,
		].join(' '),
	);

/** Neighbouring reads in one order: those that go out together arrive in any. */
function withReadsSorted(lines: string[]): string[] {
	const sorted: string[] = [];
	let reads: string[] = [];
	for (const line of lines) {
		if (line.startsWith('GET ')) reads.push(line);
		else {
			sorted.push(...reads.sort(), line);
			reads = [];
		}
	}
	return [...sorted, ...reads.sort()];
}

/** What a case sent and gave back, as text that stays the same from run to run. */
export function exchanged(tenant: TestTenant, { requests, output }: Pick<Reached, 'output' | 'requests'>) {
	const items = output.map(({ json, binary }) =>
		steady(tenant, JSON.stringify({ ...json, ...(binary && { '(binary)': Object.keys(binary) }) })),
	);
	return { requests: withReadsSorted(requests.map((request) => lineOf(tenant, request))), items };
}
