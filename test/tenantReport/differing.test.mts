import type { Checked } from '../../scripts/tenantReport/check.mts';
import { sandboxText, toMarkdown } from '../../scripts/tenantReport/report.mts';
import { type Differences, DIFFERENCES, startDiffering, TOLD } from './differingTenant.mts';
import { OTHER_DIFFERENCES, OTHER_TOLD } from './otherTenant.mts';
import { check, withTenant } from './tenants.mts';

/** The check of a tenant with these differences. */
async function checkOf(differences: Differences): Promise<Checked> {
	return await withTenant({}, async (tenant) => {
		const differing = await startDiffering(tenant, differences);
		const done = await check({ url: differing.url, token: tenant.token }, { write: true });
		await differing.close();
		return done;
	});
}

let checked: Checked;
let other: Checked;
beforeAll(async () => {
	checked = await checkOf(DIFFERENCES);
	other = await checkOf(OTHER_DIFFERENCES);
});

it.each(TOLD)('%s %s: %s', (request, consequence, came) => {
	const found = checked.report.findings.filter(({ requests }) => requests.includes(request));
	expect(found.map((finding) => [finding.consequence, finding.came])).toContainEqual([consequence, came]);
});

it.each(OTHER_TOLD)('a tenant with other types and forms: %s %s: %s', (request, consequence, came) => {
	const found = other.report.findings.filter(({ requests }) => requests.includes(request));
	expect(found.map((finding) => [finding.consequence, finding.came])).toContainEqual([consequence, came]);
});

it('what breaks the node has something to do', () => {
	const findings = [...checked.report.findings, ...other.report.findings];
	const broken = findings.filter(({ consequence }) => consequence === 'breaks');
	expect(broken.filter(({ todo }) => todo === 'Nothing.')).toEqual([]);
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
