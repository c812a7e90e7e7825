import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type SandboxOptions, startSandbox } from '../../sandbox/server.mts';
import { http } from '../http.mts';

/** The people of a sandbox that is started, asked about and closed. */
async function customersOf(options: SandboxOptions, before?: (url: string) => Promise<unknown>) {
	const sandbox = await startSandbox(options);
	try {
		await before?.(sandbox.url);
		const headers = { authorization: `Bearer ${sandbox.token}` };
		const profiles = `${sandbox.url}/third-party/v1/profiles?per_page=100`;
		const { data } = await http.get<{ data: Array<Record<string, unknown>> }>(profiles, { headers });
		return data.data.map(({ name, email, phone_number }) => ({ name, email, phone_number }));
	} finally {
		await sandbox.close();
	}
}

test('a start with invented customers gives those that the control plane adds', async () => {
	const asked = await customersOf({}, (url) => http.post(`${url}/sandbox/seed`, { profiles: 5, seed: 3 }));
	expect(asked.length).toBeGreaterThan(5);
	expect(await customersOf({ seed: { profiles: 5, seed: 3 } })).toEqual(asked);
	expect(await customersOf({ seed: 5 })).toHaveLength(asked.length);
	expect(await customersOf({ seed: 0 })).toHaveLength(asked.length - 5);
});

test('a data folder that holds a tenant gets no invented customers again', async () => {
	const dataDir = await mkdtemp(path.join(tmpdir(), 'sandbox-seed-'));
	try {
		const first = await customersOf({ dataDir, seed: 5 });
		expect(await customersOf({ dataDir, seed: 5 })).toEqual(first);
	} finally {
		await rm(dataDir, { recursive: true });
	}
});
