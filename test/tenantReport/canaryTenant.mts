import { createServer, type IncomingMessage, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
export async function startCanaryTenant(behind: string): Promise<{ url: string; close(): Promise<void> }> {
	const server: Server = createServer((request: IncomingMessage, response) => {
		const { method, headers } = request;
		const onward = ask(`${behind}${request.url}`, { method, headers }, (answer) => {
			const chunks: Buffer[] = [];
			answer.on('data', (chunk: Buffer) => chunks.push(chunk));
			answer.on('end', () => {
				response.writeHead(answer.statusCode ?? 500, CANARY, {
					'content-type': request.url?.endsWith('/users') ? `text/${CANARY}` : answer.headers['content-type'],
					[`x-${CANARY}`]: CANARY,
					'x-ratelimit-policy': CANARY,
					link: `<https://${CANARY}.example/${CANARY}?page=2>; rel="next"`,
				});
				response.end(answerFor(Buffer.concat(chunks).toString()));
			});
		});
		request.pipe(onward);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
