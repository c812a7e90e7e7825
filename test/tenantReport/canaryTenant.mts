import type { TestTenant } from '../sandbox/tenant.mts';
import { startPassing } from './passing.mts';

/** Letters that stand in place of every string of a tenant, and in the keys of maps. */
const CANARY = 'zqxcanary';

/** Members whose values lead on to other records: with a canary in them, nothing would be read. */
const LEADS_ON = /^(id|uuid|internal_uuid)$/;

/** Keys that are data, as those of maps by phone number, e-mail, name, title, date or UUID. */
const KEYS = [
	CANARY,
	`${CANARY}@mail.example`,
	`Jane ${CANARY}`,
	`${CANARY}-${CANARY}`,
	'4915198765432',
	'+49 151 98765432',
	'1990-04-12',
	'0b0f6a4c-9a59-4c2e-8a55-2f5f8a1f0c11',
	`${CANARY}Two`,
	`vorname_${CANARY}`,
	`owner${CANARY}Mustermann`,
	`${CANARY}_mustermann`,
];

/** What no report and no terminal may show. */
export const SECRETS = [
	CANARY,
	/canary/i,
	'98765432',
	'1990-04-12',
	'0b0f6a4c',
	/\b(491700000001|Mira|Lindenweg)\b/,
];

/** A value with the canary in every string and a map with telling keys in every object. */
function poisoned(value: unknown, name = ''): unknown {
	if (typeof value === 'string') {
		if (LEADS_ON.test(name)) return value;
		// Records that do not begin with the mark of the check are none of its own: it would change nothing.
		return `${value.startsWith('tenant:check ') ? '' : `${CANARY} `}${value} ${CANARY}Two`;
	}
	if (Array.isArray(value)) return value.map((item) => poisoned(item, name));
	if (typeof value !== 'object' || value === null) return value;
	const map = Object.fromEntries(KEYS.map((key) => [key, CANARY]));
	return {
		...Object.fromEntries(Object.entries(value).map(([key, member]) => [key, poisoned(member, key)])),
		...map,
		by_key: { ...map, deeper: [map] },
	};
}

function answerFor(body: string): string {
	try {
		return JSON.stringify(poisoned(JSON.parse(body)));
	} catch {
		return `${CANARY} ${body}`;
	}
}

/** A tenant like the one behind it, whose answers are full of canaries, in bodies and headers. */
export const startCanaryTenant = async (behind: Pick<TestTenant, 'token' | 'url'>) =>
	await startPassing(behind, async ({ url }, pass) => {
		const passing = await pass();
		passing.reply.raw.statusMessage = CANARY;
		passing.reply.headers({
			[`x-${CANARY}`]: CANARY,
			'x-ratelimit-policy': CANARY,
			link: `<https://${CANARY}.example/${CANARY}?page=2>; rel="next"`,
		});
		const type = url.endsWith('/users') ? `text/${CANARY}` : passing.type;
		return { ...passing, type, text: answerFor(passing.bytes.toString()) };
	});
