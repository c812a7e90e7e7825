#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { ENVELOPES } from './choices.mts';
import { type SandboxOptions, startSandbox } from './server.mts';
import { VERSION } from './version.mts';

const USAGE = `Usage: npx customer-messaging-sandbox [options]   (in its repository: npm run sandbox -- [options])

  --port N           port to listen on (default 4010)
  --host HOST        address to listen on (default 127.0.0.1)
  --control-token T  what control plane and inbox ask for (default: a random one if others can reach HOST)
  --allow-host NAME  a name of this machine besides localhost; may be repeated
  --envelope KIND    shape of lists: ${ENVELOPES.join(', ')}
  --variant CHOICE   answer as another account may, such as ids=text; may be repeated
  --webhook URL      address that is told of agent messages sent with from_automation, and of no others;
                     may be repeated
  --seed N           add N invented customers, up to 100000
  --help, -h         show this
  --version          show which version this is`;

const readOptions = () =>
	parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string', default: '127.0.0.1' },
			'control-token': { type: 'string' },
			'allow-host': { type: 'string', multiple: true },
			envelope: { type: 'string' },
			variant: { type: 'string', multiple: true, default: [] },
			webhook: { type: 'string', multiple: true, default: [] },
			seed: { type: 'string', default: '0' },
			help: { type: 'boolean', short: 'h', default: false },
			version: { type: 'boolean', default: false },
		},
	}).values;

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
	if (options.help || options.version) {
		console.log(options.help ? USAGE : VERSION);
		return;
	}
	const { envelope, variant, webhook } = options;
	// What is none of the choices is told by `startSandbox`.
	const sandbox = await startSandbox({
		port: Number(options.port),
		host: options.host,
		...(options['control-token'] !== undefined && { controlToken: options['control-token'] }),
		...(options['allow-host'] && { allowedHosts: options['allow-host'] }),
		...(envelope !== undefined && { envelope }),
		choices: Object.fromEntries(variant.map((choice) => `${choice}=`.split('=', 2))),
		webhooks: webhook.map((url) => ({ url })),
		seed: Number(options.seed),
	} as SandboxOptions);

	const stop = () => {
		sandbox.close().then(
			() => process.exit(0),
			() => process.exit(1),
		);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	endWithNpm();

	const { url, token, userToken, controlToken, store } = sandbox;
	const { customers, conversations, templates, tags, agents } = store.counts();
	console.log(`
  Sandbox tenant        ${url}
  Tenant domain         ${url}   (type it into the credential, with http://)
  Access token          ${token}   (admin)
                        ${userToken}   (no admin)
  Holds                 ${customers} customers, ${conversations} conversations, ${templates} templates, ${tags} tags, ${agents} agents
  Inbox                 ${url}/${controlToken ? `?token=${encodeURIComponent(controlToken)}` : ''}
${controlToken ? `  Control token         ${controlToken}   (Authorization: Bearer …)\n` : ''}`);
}

main().catch(({ code, message }: NodeJS.ErrnoException) => {
	console.error(
		code?.startsWith('ERR_PARSE_ARGS')
			? `${message}

${USAGE}`
			: message,
	);
	process.exitCode = 1;
});
