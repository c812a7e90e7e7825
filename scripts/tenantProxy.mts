// Stands between n8n and a tenant, passes everything on, and tells in a report where both differ from the contract.
import { parseArgs } from 'node:util';
import {
	baseUrlOf,
	refuseStrayArguments,
	refuseTokenArgument,
	TOKEN_VARIABLE,
} from '../tenantReport/access.mts';
import { ReportProblem } from '../tenantReport/problem.mts';
import { REPORT_FOLDER, resultText, writeReport } from '../tenantReport/reportFiles.mts';
import { startTenantProxy } from '../tenantReport/tenantProxy.mts';

const USAGE = `Usage: npm run tenant:proxy -- --domain acme.example.com [options]

  --domain DOMAIN   the tenant, as in the credential of the node
  --port N          port to listen on, at 127.0.0.1 (default 4020)
  --report DIR      folder of the report (default: ${REPORT_FOLDER})
  --help            show this

In the credential, type the address of the proxy as tenant domain. The proxy has no token of its own.`;

/** Where the token belongs. */
const REMEDY = 'type the token into the credential in n8n, as the proxy needs none';

/** How often the report is written while requests come in. */
const WRITE_EVERY_MS = 30_000;

function portOf(text: string): number {
	if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
	throw new ReportProblem('--port must be a whole number up to 65535.');
}

async function main(): Promise<void> {
	const args = process.argv.slice(2);
	refuseTokenArgument(args, process.env[TOKEN_VARIABLE], REMEDY);
	const { values: options, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			domain: { type: 'string' },
			port: { type: 'string', default: '4020' },
			report: { type: 'string', default: REPORT_FOLDER },
			help: { type: 'boolean', default: false },
		},
	});
	refuseStrayArguments(positionals, REMEDY);
	if (options.help) {
		console.log(USAGE);
		return;
	}
	const baseUrl = baseUrlOf(options.domain);
	const proxy = await startTenantProxy({
		baseUrl,
		port: portOf(options.port),
		say: (line) => console.log(line),
	});
	console.log(`
  Tenant domain   ${proxy.url}   (type it into the credential, with http://)
  Passes on to    ${new URL(baseUrl).origin}
  Report          in ${options.report}   (every ${WRITE_EVERY_MS / 1000} s and at the end: Ctrl-C)
`);

	let written = 0;
	let isWritten = false;
	const write = () => {
		const report = proxy.report();
		if (report.calls === written) return;
		written = report.calls;
		isWritten = writeReport(options.report, report).length > 0;
	};
	const timer = setInterval(write, WRITE_EVERY_MS);
	const stop = () => {
		clearInterval(timer);
		proxy
			.close()
			.then(() => {
				write();
				const report = proxy.report();
				console.log(`\n${resultText(report)}`);
				console.log(isWritten ? `\nReport: in ${options.report}` : '\nNo report was written.');
				process.exit(report.read > 0 ? 0 : 1);
			})
			.catch(endWith);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

function endWith(error: unknown): void {
	const { code, message } = error as NodeJS.ErrnoException;
	if (code === 'EADDRINUSE') console.error('The port is taken: choose another one with --port.');
	else if (code?.startsWith('ERR_PARSE_ARGS')) console.error(`${message.split('\n')[0]}\n\n${USAGE}`);
	else if (error instanceof ReportProblem) console.error(message);
	else if (code === 'EACCES' || code === 'ENOTDIR' || code === 'EEXIST' || code === 'EROFS') {
		console.error('The report cannot be written, or the port is reserved: use --report and --port.');
	} else
		console.error(
			'The proxy failed in a way that it does not know: please report this, with the last line above.',
		);
	process.exit(1);
}

main().catch(endWith);
