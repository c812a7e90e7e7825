// Reads a tenant, and tells in a report where it differs from the contract and from the sandbox.
import { parseArgs } from 'node:util';
import { baseUrlOf, readToken, refuseTokenArgument, TOKEN_VARIABLE } from './access.mts';
import { checkTenant } from './check.mts';
import { ReportProblem } from './problem.mts';
import { NAMES_SENTENCE, REPORT_FOLDER, resultText, withoutToken, writeReport } from './report.mts';
import { PAUSE_MS } from './tenantClient.mts';

const USAGE = `Usage: npm run tenant:check -- --domain acme.example.com [options]

  --domain DOMAIN   the tenant, as in the credential of the node
  --write           also create, change and delete test records: a tag, a group, a media item, a customer
  --names           also tell the names of members that the interface does not show: they can be data
  --pause MS        pause between two requests (default: ${PAUSE_MS})
  --report DIR      folder of the report (default: ${REPORT_FOLDER})
  --help            show this

The access token comes from ${TOKEN_VARIABLE}, or you type it when asked. It is never an argument.`;

/** Both Ctrl-C and what passes it on may end in a signal each. */
const ONE_PRESS_MS = 1_000;

/** Ends the check at the first signal, and the process at the second. */
function stopOnSignals(remaining: () => string[]): AbortSignal {
	const stop = new AbortController();
	let pressedAt = Number.NEGATIVE_INFINITY;
	const onSignal = () => {
		const now = performance.now();
		if (!stop.signal.aborted) {
			pressedAt = now;
			console.error('\nStopping, and removing test records if there are any. Press again to end at once.');
			stop.abort();
		} else if (now - pressedAt > ONE_PRESS_MS) {
			for (const sentence of remaining()) console.error(sentence);
			process.exit(130);
		}
	};
	for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, onSignal);
	return stop.signal;
}

async function main(): Promise<number> {
	const args = process.argv.slice(2);
	refuseTokenArgument(args, process.env[TOKEN_VARIABLE]);
	const { values: options } = parseArgs({
		args,
		options: {
			domain: { type: 'string' },
			write: { type: 'boolean' },
			names: { type: 'boolean' },
			pause: { type: 'string', default: String(PAUSE_MS) },
			report: { type: 'string', default: REPORT_FOLDER },
			help: { type: 'boolean' },
		},
	});
	if (options.help) {
		console.log(USAGE);
		return 0;
	}
	if (!/^\d{1,5}$/.test(options.pause))
		throw new ReportProblem('--pause must be a whole number of milliseconds, below 100000.');
	const baseUrl = baseUrlOf(options.domain);
	const token = await readToken(process.env, process.stdin, process.stderr);
	// It may have been typed only now.
	refuseTokenArgument(args, token);
	if (options.names) console.log(NAMES_SENTENCE);
	let remaining = (): string[] => [];
	const stop = stopOnSignals(() => remaining());
	const { report, failure } = await checkTenant({
		baseUrl,
		token,
		stop,
		write: options.write,
		names: options.names,
		pauseMs: Number(options.pause),
		say: (line) => console.log(line),
		onWrites: (given) => (remaining = given),
	});
	const [forPeople, forMachines] = writeReport(options.report, report, token);
	console.log(`\n${withoutToken(resultText(report), token)}`);
	for (const sentence of report.leftBehind) console.error(sentence);
	console.log(
		forPeople ? `\nReport: ${forPeople}, and for machines: ${forMachines}` : 'No report was written.',
	);
	if (stop.aborted) return 130;
	if (failure) throw failure;
	return report.leftBehind.length > 0 || report.read === 0 ? 1 : 0;
}

/** What is said of other failures, by their code. An argument that stands alone may be the token, and is not repeated. */
const SENTENCES: Array<[code: RegExp, sentence: (message: string) => string]> = [
	[
		/POSITIONAL$/,
		() => `An argument stands alone: write --domain DOMAIN. A token goes into ${TOKEN_VARIABLE}.`,
	],
	[/^ERR_PARSE_ARGS/, (message) => `${message.split('\n')[0]}\n\n${USAGE}`],
	[
		/^(EACCES|ENOTDIR|EEXIST|EROFS)$/,
		() => 'The report cannot be written: use another folder with --report.',
	],
	[/^/, () => 'The check failed for an unknown reason: please report this, with the last line above.'],
];

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		const { code = '', message } = error as NodeJS.ErrnoException;
		const [, sentence] = SENTENCES.find(([codes]) => codes.test(code)) ?? SENTENCES[0];
		console.error(error instanceof ReportProblem ? message : sentence(message));
		process.exit(1);
	},
);
