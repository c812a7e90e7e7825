// Reads a tenant, and tells in a report where it differs from the contract and from the sandbox.
import { parseArgs } from 'node:util';
import {
	baseUrlOf,
	readToken,
	refuseStrayArguments,
	refuseTokenArgument,
	TOKEN_VARIABLE,
} from './access.mts';
import { checkTenant, PAUSE_MS } from './check.mts';
import { ReportProblem } from './problem.mts';
import { NAMES_SENTENCE, resultText, sandboxText } from './report.mts';
import { REPORT_FOLDER, withoutToken, writeReport } from './reportFiles.mts';

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
			console.error('\nStops, and removes its test records if there are any. Once more ends it at once.');
			stop.abort();
		} else if (now - pressedAt > ONE_PRESS_MS) {
			for (const sentence of remaining()) console.error(sentence);
			process.exit(130);
		}
	};
	process.on('SIGINT', onSignal);
	process.on('SIGTERM', onSignal);
	return stop.signal;
}

async function main(): Promise<number> {
	const args = process.argv.slice(2);
	refuseTokenArgument(args, process.env[TOKEN_VARIABLE]);
	const { values: options, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			domain: { type: 'string' },
			write: { type: 'boolean', default: false },
			names: { type: 'boolean', default: false },
			pause: { type: 'string', default: String(PAUSE_MS) },
			report: { type: 'string', default: REPORT_FOLDER },
			help: { type: 'boolean', default: false },
		},
	});
	refuseStrayArguments(positionals);
	if (options.help) {
		console.log(USAGE);
		return 0;
	}
	if (!/^\d{1,5}$/.test(options.pause)) {
		throw new ReportProblem('--pause must be a whole number of milliseconds, below 100000.');
	}
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
		write: options.write,
		names: options.names,
		say: (line) => console.log(line),
		stop,
		pauseMs: Number(options.pause),
		onWrites: (given) => (remaining = given),
	});
	const [forPeople, forMachines] = writeReport(options.report, report, token);
	console.log(
		`\n${withoutToken([resultText(report), sandboxText(report) ?? ''].join('\n\n').trim(), token)}`,
	);
	for (const sentence of report.leftBehind) console.error(sentence);
	console.log(
		forPeople === undefined
			? `\nThe report in ${options.report} is an older one, and stays as it is.`
			: `\nReport: ${forPeople}, and for machines: ${forMachines}`,
	);
	if (stop.aborted) return 130;
	if (failure) throw failure;
	return report.leftBehind.length > 0 || report.read === 0 ? 1 : 0;
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		const { code, message } = error as NodeJS.ErrnoException;
		const isUsage = code?.startsWith('ERR_PARSE_ARGS');
		if (isUsage) console.error(`${message.split('\n')[0]}\n\n${USAGE}`);
		else if (error instanceof ReportProblem) console.error(message);
		else if (code === 'EACCES' || code === 'ENOTDIR' || code === 'EEXIST' || code === 'EROFS') {
			console.error('The report cannot be written: name another folder with --report.');
		} else
			console.error(
				'The check failed in a way that it does not know: please report this, with the last line above.',
			);
		process.exit(1);
	},
);
