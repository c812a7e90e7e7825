import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { bearerToken } from '../../nodes/CustomerMessaging/credential/accessToken.ts';
import { tenantBaseUrl } from '../../nodes/CustomerMessaging/credential/tenantUrl.ts';
import { ReportProblem } from './problem.mts';

/** The environment variable that holds the token. */
export const TOKEN_VARIABLE = 'TENANT_TOKEN';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const isLoopback = (baseUrl: string) => LOOPBACK.test(new URL(baseUrl).hostname);

/**
 * The base URL of a tenant, from its domain as the credential of the node takes it.
 *
 * @throws ReportProblem when the domain is none, or http would send the token over a network
 */
export function baseUrlOf(domain: string | undefined): string {
	if (domain === undefined) throw new ReportProblem('Name the tenant: --domain acme.example.com.');
	let baseUrl: string;
	try {
		baseUrl = tenantBaseUrl(domain);
	} catch (error) {
		const { message, description } = error as Error & { description?: string };
		throw new ReportProblem(`${message}. ${description ?? ''}`.trim());
	}
	if (baseUrl.startsWith('http:') && !isLoopback(baseUrl))
		throw new ReportProblem('http would send the token unencrypted: use https, or no scheme.');
	return baseUrl;
}

/** Connections to a tenant, through the proxy that the environment names; never for this machine itself. */
export const connectionsTo = (baseUrl: string): Dispatcher =>
	isLoopback(baseUrl) ? new Agent() : new EnvHttpProxyAgent();

/**
 * Refuses a token among the arguments, without repeating it: other users of the machine see them, and the shell keeps them.
 *
 * @param token the token, where it is known; it can stand in any argument, for example as domain
 */
export function refuseTokenArgument(args: string[], token = ''): void {
	const known = token.replace(/^\s*(Bearer\s+)?|\s+$/gi, '').toLowerCase();
	const isToken = (argument: string) =>
		/^(--?[\w-]*token|Bearer)\b/i.test(argument) ||
		// A host is looked up in small letters.
		(known !== '' && argument.toLowerCase().includes(known));
	if (args.some(isToken))
		throw new ReportProblem(
			`A token among the arguments can be seen by others and stays in the history of the shell: set ${TOKEN_VARIABLE}, or type the token when asked, and consider this one known.`,
		);
}

/** Asks for a line that is not shown. */
async function askHidden(question: string, input: Readable, output: Writable): Promise<string> {
	const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input, output: nowhere, terminal: true });
	// Only now are keys no longer shown.
	output.write(question);
	const interrupted = new Promise<never>((_resolve, reject) => {
		lines.once('SIGINT', () => reject(new ReportProblem('Stopped: nothing was asked of the tenant.')));
	});
	try {
		return await Promise.race([lines.question(''), interrupted]);
	} finally {
		lines.close();
		output.write('\n');
	}
}

/**
 * The token, from the environment or typed unseen.
 *
 * @throws ReportProblem when there is none, or it cannot be one
 */
export async function readToken(
	environment: NodeJS.ProcessEnv,
	input: Readable & { isTTY?: boolean },
	output: Writable,
): Promise<string> {
	const given = environment[TOKEN_VARIABLE];
	if (given === undefined && !input.isTTY)
		throw new ReportProblem(`Set ${TOKEN_VARIABLE} to the access token: there is no terminal to type it at.`);
	const text = given ?? (await askHidden('Access token (not shown): ', input, output));
	try {
		const token = bearerToken(text);
		if (!token.includes(' ')) return token;
	} catch {
		// Empty, or with characters that cannot be sent.
	}
	const from = given === undefined ? 'What you typed' : TOKEN_VARIABLE;
	throw new ReportProblem(`${from} is no access token: it is empty or has characters that no token has.`);
}
