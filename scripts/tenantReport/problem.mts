/** A failure that the person in front of the screen can mend: its message is one sentence or two, with the remedy. */
export class ReportProblem extends Error {}

const LATER = 'try again later';

const NETWORK: Array<[codes: RegExp, problem: string, remedy: string]> = [
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'is not found', 'check the domain and your network'],
	[/REFUSED$|UNREACH$/, 'cannot be reached', 'check the domain, the port and your network'],
	[/TIMEOUT$|TIMEDOUT$/, 'did not answer in time', LATER],
	[/^(EPROTO|ERR_SSL_)/, 'does not speak https there', 'check the domain and the port'],
	[/CERT|TLS|SIGNED|UNABLE/, 'has an untrusted certificate', 'name its authority in NODE_EXTRA_CA_CERTS'],
	[/^BROKEN OFF$/, 'closed the connection before the end of its answer', LATER],
	[/RESET$|PIPE$|SOCKET$/, 'closed the connection without an answer', LATER],
];

/** A request that failed on its way: whether it was carried out is not known. */
export class Unanswered extends ReportProblem {
	/** What came in place of a response, without the host. */
	readonly came: string;

	/** Repeats nothing of the request. @param hasBegun whether the headers of an answer came */
	constructor(host: string, error: unknown, hasBegun: boolean) {
		const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
		// A deadline has the name of a DOMException.
		const code = name === 'TimeoutError' ? 'TIMEOUT' : String(cause?.code ?? '');
		const shown = /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : '';
		const reason = hasBegun && /SOCKET|RESET|LENGTH/.test(code) ? 'BROKEN OFF' : code;
		const known = NETWORK.find(([codes]) => codes.test(reason));
		const [, problem, remedy] = known ?? ['', `did not answer${shown}`, LATER];
		super(`${host} ${problem}: ${remedy}.`);
		this.came = `no response: it ${problem}`;
	}
}
