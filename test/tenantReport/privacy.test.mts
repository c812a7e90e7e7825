import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Report } from '../../scripts/tenantReport/findings.mts';
import { withoutToken } from '../../scripts/tenantReport/report.mts';
import { told } from '../../scripts/tenantReport/vocabulary.mts';
import { expectNone } from '../engine/expectNone.mts';
import { SECRETS, startCanaryTenant } from './canaryTenant.mts';
import { startCommand } from './command.mts';
import { check, withTenant } from './tenants.mts';

/** What of a text no report may show. */
function shownSecrets(text: string, token: string): string[] {
	return [...SECRETS, token]
		.filter((secret) => (typeof secret === 'string' ? text.includes(secret) : secret.test(text)))
		.map((secret) => `${String(secret)}: ${text.split('\n').find((line) => line.match(secret))}`);
}

const TOKEN = 'secret/token+7';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'tenant-report-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

it('no file and no line of a check has a value of the tenant, a key that is one, or the token', async () => {
	await withTenant({}, async ({ url, token }) => {
		const canaries = await startCanaryTenant({ url, token });
		const args = ['--domain', canaries.url, '--write', '--pause', '0', '--report', folder];
		const command = startCommand('tenantReport/tenantCheck', args, { TENANT_TOKEN: token });
		expect(await command.ended).toBe(0);
		await canaries.close();
		const files = await readdir(folder);
		expect(files.sort()).toEqual(['tenant-check.json', 'tenant-check.md']);
		const texts = await Promise.all(
			files.map(async (file) => await readFile(path.join(folder, file), 'utf8')),
		);
		expectNone([command.shown(), ...texts].flatMap((text) => shownSecrets(text, token)));
		// It has looked at everything all the same.
		const report = JSON.parse(texts[0]) as Report;
		expect(report.calls).toBeGreaterThan(50);
		expect(report.members.filter(({ members }) => !members.includes('further members'))).toEqual([]);
	});
});

it('a tenant whose only answers are failures full of canaries is told of without them', async () => {
	await withTenant({}, async (tenant) => {
		const canaries = await startCanaryTenant(tenant);
		const lines: string[] = [];
		tenant.faults.add({ kind: 'server-error', status: 422, skip: 1 });
		const { report, failure } = await check(
			{ url: canaries.url, token: tenant.token },
			{ write: true, say: (line) => lines.push(line) },
		);
		await canaries.close();
		const texts = [lines.join('\n'), JSON.stringify(report), String(failure?.message)];
		expectNone(texts.flatMap((text) => shownSecrets(text, tenant.token)));
		expect(report.findings.map(({ came }) => came)).toContain('status 422 Unprocessable Entity');
	});
});

it.each(['email', 'displayId', 'PerPage', 'next-cursor', 'message'])('%s is a known name', (name) => {
	expect(told(name)).toMatch(/^[a-z_]+$/);
});

it.each([
	'vorname_Erika',
	'erika_mustermann',
	'ownerErikaMustermann',
	'a'.repeat(39) + '!',
	'4915112345678',
	'',
	'__proto__',
])('%s is no known name, and never told', (name) => {
	expect(told(name)).toBeUndefined();
});

it.each([TOKEN, TOKEN.toUpperCase(), encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64')])(
	'a text with the token is not written: %s',
	(form) => {
		expect(() => withoutToken(`{"${form}": 1}`, TOKEN)).toThrow('The report would hold the access token');
		expect(withoutToken('{"tag": 1}', TOKEN)).toBe('{"tag": 1}');
	},
);
