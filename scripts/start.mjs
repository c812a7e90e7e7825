// npm start: a real n8n with the package in it, and a sandbox tenant for it to talk to. Plain JavaScript up to the point
// where everything is installed.
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';

import { installForStart } from './install.mjs';
import { checkNodeVersion, endWith, SetupProblem } from './installed.mjs';

const usage = `Usage: npm start -- [options]

  --port N           port of n8n (default 5678)
  --sandbox-port N   port of the sandbox tenant (default 4010)
  --folder DIR       where n8n keeps its data (default .n8n-demo); remove it to begin anew
  --help             show this`;

function readOptions() {
	const text = (value) => ({ type: 'string', default: value });
	let values;
	try {
		({ values } = parseArgs({
			options: {
				port: text('5678'),
				'sandbox-port': text('4010'),
				folder: text('.n8n-demo'),
				help: { type: 'boolean', default: false },
			},
		}));
	} catch (error) {
		throw new SetupProblem(`${error.message}\n\n${usage}`);
	}
	if (values.help) return undefined;
	return {
		port: portNumber(values.port, '--port'),
		sandboxPort: portNumber(values['sandbox-port'], '--sandbox-port'),
		folder: values.folder,
	};
}

function portNumber(text, flag) {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new SetupProblem(`${flag} must be a port number from 1 to 65535, not "${text}".`);
}

async function checkPort(port, flag) {
	const problem = await new Promise((resolve) => {
		const server = createServer();
		server.once('error', resolve);
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
	});
	if (problem === undefined) return;
	const reason = problem.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${problem.code})`;
	throw new SetupProblem(
		`Port ${port} ${reason}: stop what runs there, or choose another one with npm start -- ${flag} ${port + 1}`,
	);
}

/** npm passes a SIGTERM on to its shell only: when that goes, so does what it started. */
function endWithNpm() {
	if (process.env.npm_lifecycle_event === undefined) return;
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
	}, 500).unref();
}

try {
	checkNodeVersion();
	endWithNpm();
	const options = readOptions();
	if (options === undefined) {
		console.log(usage);
	} else {
		if (options.port === options.sandboxPort) {
			throw new SetupProblem(
				'n8n and the sandbox need two ports: give --port and --sandbox-port different numbers.',
			);
		}
		await checkPort(options.port, '--port');
		await checkPort(options.sandboxPort, '--sandbox-port');
		await installForStart();
		const { tsImport } = await import('tsx/esm/api');
		const { runDemo } = await tsImport('./demo.mts', import.meta.url);
		process.exitCode = await runDemo(options);
	}
} catch (error) {
	endWith(error);
}
