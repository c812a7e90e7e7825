/** A failure that the person in front of the screen can mend: its message is one sentence or two, with the remedy. */
export class ReportProblem extends Error {}

const NETWORK: Array<[codes: RegExp, problem: string, remedy: string]> = [
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'is not found', 'check the domain and your network'],
	[
		/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/,
		'cannot be reached',
		'check the domain, the port and your network',
	],
	[/TIMEOUT$|^ETIMEDOUT$/, 'did not answer in time', 'try again later'],
	[/^(EPROTO|ERR_SSL_)/, 'does not speak https there', 'check the domain and the port'],
	[
		/CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO|^DEPTH_ZERO/,
		'has a certificate that this machine does not trust',
		'name the certificate authority of your network in NODE_EXTRA_CA_CERTS',
	],
	[/^BROKEN OFF$/, 'closed the connection before the end of its answer', 'try again later'],
	[/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'closed the connection without an answer', 'try again later'],
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
		const [, problem, remedy] = known ?? ['', `did not answer${shown}`, 'try again later'];
		super(`${host} ${problem}: ${remedy}.`);
		this.came = `none: it ${problem}`;
	}
}
