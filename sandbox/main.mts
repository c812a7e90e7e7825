#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CHOICES, type Choices, ENVELOPES, type EnvelopeKind, VARIANTS } from './choices.mts';
import { type SandboxTenant, startSandbox } from './server.mts';
import { findHarProblem, type Har } from './session/har.mts';
import { described, replay } from './session/replay.mts';
import { VERSION } from './version.mts';

const USAGE = `Usage: npx customer-messaging-sandbox [options]   (in its repository: npm run sandbox -- [options])

  --port N           port to listen on (default 4010)
  --host HOST        address to listen on (default 127.0.0.1)
  --control-token T  what control plane and inbox ask for (default: a random one if others can reach HOST)
  --allow-host NAME  a name of this machine besides localhost; may be repeated
  --tenant NAME      a further tenant, at the next port and as NAME.localhost; may be repeated
  --data DIR         keep everything in this folder (default: in memory)
  --envelope KIND    shape of lists: ${ENVELOPES.join(', ')}
  --variant NAME     answer as another tenant may: ${Object.keys(VARIANTS).join(', ')};
                     or one choice alone, such as ids=text; may be repeated
  --webhook URL      address that hears of new agent messages; may be repeated
  --hooks DIR        send the requests in the .json and .yaml files of this folder when it is up
  --delivery-statuses  accepted messages become sent, delivered and read after a while
  --template-review  new templates wait for approval
  --record FILE      record the session into this file, as HAR
  --replay FILE      send the requests of such a file to a fresh tenant, say which answers differ, and end
  --seed N           give a fresh tenant N invented customers, up to 100000
  --help, -h         show this
  --version          show which version this is`;

/** A mistake of the person who types; it is said without a stack. */
class UsageError extends Error {}

function wholeNumber(name: string, text: string, largest: number): number {
	const number = Number(text);
	if (!/^\d+$/.test(text) || number > largest) {
		throw new UsageError(`--${name} must be a whole number up to ${largest}, not "${text}".`);
	}
	return number;
}

function envelopeKind(text: string): EnvelopeKind {
	const kind = ENVELOPES.find((known) => known === text);
	if (!kind) throw new UsageError(`--envelope must be one of ${ENVELOPES.join(', ')}, not "${text}".`);
	return kind;
}

/** What a variant, or a single choice such as `ids=text`, chooses otherwise. */
function choicesOf(text: string): Partial<Choices> {
	if (Object.hasOwn(VARIANTS, text)) return VARIANTS[text as keyof typeof VARIANTS];
	const [name, value] = text.split('=');
	const values: readonly string[] = Object.hasOwn(CHOICES, name) ? CHOICES[name as keyof Choices] : [];
	if (values.includes(value)) return { [name]: value };
	const known = Object.entries(CHOICES).map(([choice, all]) => `${choice}=${all.join('|')}`);
	throw new UsageError(
		`--variant must be one of ${[...Object.keys(VARIANTS), ...known].join(', ')}, not "${text}".`,
	);
}

function webhookUrl(text: string): string {
	const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
	if (protocol !== 'http:' && protocol !== 'https:') {
		throw new UsageError(`--webhook must be an http or https URL, not "${text}".`);
	}
	return text;
}

function controlToken(text: string | undefined): string | undefined {
	if (text === undefined || /^\S{16,}$/.test(text)) return text;
	throw new UsageError('--control-token must have at least 16 characters, and no spaces.');
}

const readOptions = () =>
	parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string', default: '127.0.0.1' },
			'control-token': { type: 'string' },
			'allow-host': { type: 'string', multiple: true },
			tenant: { type: 'string', multiple: true },
			data: { type: 'string' },
			envelope: { type: 'string' },
			variant: { type: 'string', multiple: true, default: [] },
			webhook: { type: 'string', multiple: true, default: [] },
			hooks: { type: 'string' },
			'delivery-statuses': { type: 'boolean', default: false },
			'template-review': { type: 'boolean', default: false },
			record: { type: 'string' },
			replay: { type: 'string' },
			seed: { type: 'string', default: '0' },
			help: { type: 'boolean', short: 'h', default: false },
			version: { type: 'boolean', default: false },
		},
	}).values;

function sessionOf(file: string): Har {
	let session: unknown;
	try {
		session = JSON.parse(readFileSync(file, 'utf8'));
	} catch (cause) {
		throw new Error(`${file} cannot be replayed: ${(cause as Error).message}`, { cause });
	}
	const problem = findHarProblem(session);
	if (problem !== undefined) throw new Error(`${file} is no HAR file: ${problem}`);
	return session as Har;
}

/** Where a further tenant is, and its tokens. */
const tenantLines = (name: string, { url, token, userToken }: SandboxTenant, port: string) => `
  Tenant ${name.padEnd(14)} ${url}   (also http://${name}.localhost:${port})
  Access token          ${token}   (admin)
                        ${userToken}   (no admin)
`;

/** npm and npx pass a SIGTERM on to their shell alone: when that goes, so does what it started. */
function endWithNpm(): void {
	if (process.env.npm_lifecycle_event === undefined) return;
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
	}, 500).unref();
}

/** Starts the sandbox from the command line and says what it is. */
async function main(): Promise<void> {
	const options = readOptions();
	if (options.help) {
		console.log(USAGE);
		return;
	}
	if (options.version) {
		console.log(VERSION);
		return;
	}
	const port = wholeNumber('port', options.port, 65_535);
	const session = options.replay === undefined ? undefined : sessionOf(options.replay);
	if (session && options.data !== undefined) {
		throw new UsageError('--replay needs a fresh tenant: leave --data out.');
	}
	const sandbox = await startSandbox({
		port: session ? 0 : port,
		sessionFile: options.record,
		host: options.host,
		controlToken: controlToken(options['control-token']),
		allowedHosts: options['allow-host'],
		tenants: options.tenant,
		dataDir: options.data,
		hooksDir: options.hooks,
		envelope: options.envelope === undefined ? undefined : envelopeKind(options.envelope),
		choices: Object.assign({}, ...options.variant.map(choicesOf)) as Partial<Choices>,
		deliveryStatuses: options['delivery-statuses'],
		templateReview: options['template-review'],
		webhooks: options.webhook.map((text) => ({ url: webhookUrl(text) })),
		seed: wholeNumber('seed', options.seed, 100_000),
	});

	if (session) {
		const outcome = await replay(session, sandbox);
		console.log(described(outcome));
		await sandbox.close();
		// A session without a request for this tenant proves nothing.
		process.exitCode = outcome.differences.length > 0 || outcome.requests === 0 ? 1 : 0;
		return;
	}

	const stop = () => {
		sandbox.close().then(
			() => process.exit(0),
			() => process.exit(1),
		);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	endWithNpm();

	const { customers, conversations, templates, tags, agents } = sandbox.store.counts();
	console.log(`
  Sandbox tenant        ${sandbox.url}
  Tenant domain         ${sandbox.url}   (type it into the credential, with http://)
  Access token          ${sandbox.token}   (admin)
                        ${sandbox.userToken}   (no admin)
  Holds                 ${customers} customers, ${conversations} conversations, ${templates} templates, ${tags} tags, ${agents} agents
  Kept in               ${options.data ?? 'memory: gone when it stops'}
  Inbox                 ${sandbox.url}/${sandbox.controlToken ? `?token=${encodeURIComponent(sandbox.controlToken)}` : ''}
${sandbox.controlToken ? `  Control token         ${sandbox.controlToken}   (Authorization: Bearer …)\n` : ''}${Object.entries(
		sandbox.tenants,
	)
		.map(([name, tenant]) => tenantLines(name, tenant, new URL(sandbox.url).port))
		.join('')}`);
}

main().catch((error: unknown) => {
	const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
	const isHost = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code ?? '');
	if (code === 'EADDRINUSE') {
		console.error(`The port ${port} is taken. Choose another one with --port, or stop what runs there.`);
	} else if (isHost) {
		console.error(`This machine has no address of that name (${message}). Choose another one with --host.`);
	} else if (code === 'EACCES' && port !== undefined) {
		console.error(`You may not listen at port ${port}. Choose one above 1023 with --port.`);
	} else if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) {
		console.error(`${message}\n\n${USAGE}`);
	} else {
		console.error(message);
	}
	process.exitCode = 1;
});
