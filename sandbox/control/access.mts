import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isHostAllowed } from 'host-validation-middleware';
import ipaddr from 'ipaddr.js';
import { STATUS } from '../choices.mts';
import { Refusal } from '../refusal.mts';
import { stringOf } from '../texts.mts';

const secret = () => randomBytes(24).toString('base64url');

const digest = (text: string) => createHash('sha256').update(text).digest();
const isSame = (given: string | undefined, expected: string): boolean =>
	given !== undefined && timingSafeEqual(digest(given), digest(expected));

const isThisMachine = (host: string): boolean =>
	host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

/** Cookies belong to a host name with all of its ports: two sandboxes must not take each other's. */
const cookieName = ({ socket }: FastifyRequest) => `sandbox-inbox-${socket.localPort}`;

/**
 * Whether a page of another site caused the request. `Sec-Fetch-Site` also tells of requests without an `Origin`, which is
 * `null` for pages that hide theirs. Programs send neither.
 */
function isFromOtherSite({ headers, host }: FastifyRequest): boolean {
	const { origin, 'sec-fetch-site': site = 'none' } = headers;
	if (site !== 'none' && site !== 'same-origin') return true;
	return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/** A person who follows a link to the page, which no other page can read or put into a frame. */
const isLinkFollowed = ({ headers }: FastifyRequest): boolean =>
	headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** Who may use the sandbox beside the interface: the control plane and the inbox. */
export class Access {
	/** What they have to be asked with; undefined where only programs of this machine get to them. */
	readonly token: string | undefined;
	private readonly session = secret();

	/**
	 * @param host the address that the sandbox listens on: on any but this machine's own, there is a token
	 * @param token the one to use instead of a random one
	 * @param names of this machine, besides `localhost`, that requests may be addressed to
	 */
	constructor(
		host: string,
		token?: string,
		private readonly names: readonly string[] = [],
	) {
		this.token = token ?? (isThisMachine(host) ? undefined : secret());
	}

	/**
	 * Refuses requests to a foreign name: a web page gets around the browser's rules when its own name turns into 127.0.0.1.
	 * A token keeps such a page out too, and the names of a machine in a network are not known here.
	 */
	checkNames(server: FastifyInstance): void {
		server.addHook('onRequest', ({ headers }, _reply, done) => {
			if (this.token === undefined && !isHostAllowed(headers.host, [...this.names])) {
				const text = 'The sandbox is not known under this name: use 127.0.0.1, or name it with --allow-host.';
				done(new Refusal(STATUS.notAttached, text));
			} else {
				done();
			}
		});
	}

	/** For the control plane: no page of another site, and only with the token or the cookie. */
	checkControl(plane: FastifyInstance): void {
		plane.addHook('onRequest', async (request) => {
			if (isFromOtherSite(request)) {
				throw new Refusal(STATUS.notAttached, 'Pages of other origins cannot control the sandbox.');
			}
			if (!this.isAllowed(request)) this.refuse();
		});
	}

	/** For the inbox page, which holds no data itself. */
	checkPage(page: FastifyInstance): void {
		page.addHook('onRequest', async (request) => {
			if (isFromOtherSite(request) && !isLinkFollowed(request)) {
				throw new Refusal(STATUS.notAttached, 'Pages of other origins cannot use the inbox.');
			}
		});
	}

	/**
	 * Lets a browser in whose user opened the link with the token, and takes the token out of its address bar.
	 * @returns undefined when the request has no token, or needs none
	 * @throws 401 when the token is another one
	 */
	enter(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
		const { token } = request.query as { token?: unknown };
		if (this.token === undefined || token === undefined) return undefined;
		if (!isSame(stringOf(token), this.token)) this.refuse();
		const cookie = { name: cookieName(request), value: this.session };
		const held = stringifySetCookie({ ...cookie, httpOnly: true, sameSite: 'strict', path: '/' });
		return reply.header('set-cookie', held).redirect('/', 303);
	}

	private isAllowed(request: FastifyRequest): boolean {
		if (this.token === undefined) return true;
		const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
		return (
			isSame(given, this.token) ||
			isSame(parseCookie(request.headers.cookie ?? '')[cookieName(request)], this.session)
		);
	}

	private refuse(): never {
		throw new Refusal(
			STATUS.unauthorized,
			'The control token is missing or wrong. The sandbox printed it when it started, with a link to the inbox.',
			undefined,
			{ 'www-authenticate': 'Bearer' },
		);
	}
}
