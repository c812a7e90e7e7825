import type { Checked } from '../../scripts/tenantReport/check.mts';
import { sandboxText, toMarkdown } from '../../scripts/tenantReport/report.mts';
import { startDiffering, TOLD } from './differingTenant.mts';
import { check, withTenant } from './tenants.mts';

let checked: Checked;
beforeAll(async () => {
	await withTenant({}, async (tenant) => {
		const differing = await startDiffering(tenant);
		checked = await check({ url: differing.url, token: tenant.token }, { write: true });
		await differing.close();
	});
}, 30_000);

it.each(TOLD)('%s %s: %s', (request, consequence, came) => {
	const found = checked.report.findings.filter(({ requests }) => requests.includes(request));
	expect(found.map((finding) => [finding.consequence, finding.came])).toContainEqual([consequence, came]);
});

it('nothing else is told, and each line says what was expected and what to do', () => {
	const { findings } = checked.report;
	const told = TOLD.map(([, consequence, came]) => `${consequence} ${came}`);
	expect(
		findings.map(({ consequence, came }) => `${consequence} ${came}`).filter((line) => !told.includes(line)),
	).toEqual([]);
	expect(findings.filter(({ expected, todo }) => expected === '' || todo === '')).toEqual([]);
});

it('a report begins with what breaks the node, and ends with what it copes with', () => {
	const headings = toMarkdown(checked.report).match(/^## .*/gm);
	expect(headings?.slice(0, 3)).toEqual(['## Breaks the node', '## Unknown', '## The node copes']);
});

it('the report says how many of the differences a sandbox shows', () => {
	expect(sandboxText(checked.report)).toMatch(/^This sandbox shows \d of the \d+ differences:/);
});
