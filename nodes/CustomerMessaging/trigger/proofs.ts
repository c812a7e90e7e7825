import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';

import { DateTime } from 'luxon';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
	IWebhookFunctions,
} from 'n8n-workflow';

import { nodeKey, ProcessMemory } from '../n8nInternals/processMemory';
import { ownMember } from '../values/json';
import { quote, stringOf } from '../values/text';
import { Refused } from './refusals';

/** Reads the body as it arrived. */
type ReadBody = () => Promise<Buffer>;

/** What a credential asks of a webhook request. It does not contain the credential, so it can be kept. */
export interface Proof {
	/** The headers that a request needs and no item shows, with the secret or the signature in the first. */
	headers: string[];
	/** @param values those of the headers, in that order */
	isGivenBy: (values: string[], readBody: ReadBody) => boolean | Promise<boolean>;
	/** The header with the time of signing. */
	time?: string;
	/** The header with the sender's key against redeliveries. */
	key?: string;
}

/** What nobody can prove, as with an empty secret. */
const NO_PROOF: Proof = { headers: [], isGivenBy: () => false };

/** Makes digests that nobody can compare with those of another process. */
const DIGEST_KEY = randomBytes(32);

const digestOf = (words: string) => createHmac('sha256', DIGEST_KEY).update(words).digest();

/** @param isLogin whether the text begins with the name of a scheme, which counts in any letters */
function byText(header: string, text: string, isLogin = false): Proof {
	if (text === '') return NO_PROOF;
	const digest = digestOf(text);
	return {
		headers: [header],
		isGivenBy([value]) {
			const sent = isLogin ? value.replace(/^basic +/i, 'Basic ') : value;
			return timingSafeEqual(digestOf(sent), digest);
		},
	};
}

/** How much the time of signing may differ from now. */
const TOLERANCE_MS = 5 * 60_000;

interface Signing {
	/** The headers whose values are signed in front of the body, each with a dot behind it. The last one is the time. */
	signed: string[];
	encoding: 'base64' | 'hex';
	prefix: string;
	/** What stands between several signatures, of which one has to be right. */
	separator?: string;
}

/** The header has to hold the HMAC-SHA256 of the body as it arrived. */
function bySignature(header: string, secret: Buffer, signing: Signing): Proof {
	if (secret.length === 0) return NO_PROOF;
	// A key is not in the memory of JavaScript.
	const key = createSecretKey(secret);
	const { signed, encoding, prefix, separator } = signing;
	return {
		headers: [header, ...signed],
		time: signed.at(-1),
		async isGivenBy([value, ...before], readBody) {
			const hmac = createHmac('sha256', key);
			for (const one of before) hmac.update(`${one}.`);
			const expected = digestOf(hmac.update(await readBody()).digest(encoding));
			const given = separator === undefined ? [value] : value.split(separator);
			return given.some((one) => {
				const signature = one.slice(prefix.length).trim();
				const written = encoding === 'hex' ? signature.toLowerCase() : signature;
				return one.startsWith(prefix) && timingSafeEqual(digestOf(written), expected);
			});
		},
	};
}

const trimmed = (typed: unknown) => stringOf(typed).trim();

const headerName = (typed: unknown) => trimmed(typed).toLowerCase();

/** The methods of the credential. */
const METHODS: Record<string, (credential: ICredentialDataDecryptedObject) => Proof> = {
	// A header holds no spaces at its ends.
	headerSecret: (credential) => byText(headerName(credential.headerName), trimmed(credential.secret)),

	basicAuth(credential) {
		const [user, password] = [stringOf(credential.user), stringOf(credential.password)];
		const login = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
		return user === '' || password === '' ? NO_PROOF : byText('authorization', login, true);
	},

	hmac: (credential) =>
		bySignature(headerName(credential.signatureHeaderName), Buffer.from(stringOf(credential.secret)), {
			signed: [headerName(credential.timestampHeaderName)].filter(Boolean),
			encoding: credential.encoding as Signing['encoding'],
			prefix: stringOf(credential.prefix),
		}),

	// https://www.standardwebhooks.com, with the symmetric signature
	standardWebhooks: (credential) => ({
		...bySignature(
			'webhook-signature',
			Buffer.from(trimmed(credential.secret).replace(/^whsec_/, ''), 'base64'),
			{
				signed: ['webhook-id', 'webhook-timestamp'],
				encoding: 'base64',
				prefix: 'v1,',
				separator: ' ',
			},
		),
		key: 'webhook-id',
	}),
};

/** Returns what a credential asks of a webhook request. */
export function proofOf(credential: ICredentialDataDecryptedObject): Proof {
	const method = stringOf(credential.method);
	return Object.hasOwn(METHODS, method) ? METHODS[method](credential) : NO_PROOF;
}

/** Returns the milliseconds since 1970 of seconds, of milliseconds or of ISO 8601; NaN for anything else. */
function millisecondsOf(timestamp: string, zone: string): number {
	if (!/^\d+$/.test(timestamp)) return DateTime.fromISO(timestamp.replace(' ', 'T'), { zone }).toMillis();
	const number = Number(timestamp);
	return number < 100_000_000_000 ? number * 1000 : number;
}

/**
 * Returns what is wrong with the proof in a request, which is empty if it is the secret; undefined if nothing is. A time of signing
 * without a zone is in that of the workflow.
 *
 * @throws Refused when the body is unreadable
 */
export async function problemOf(
	proof: Proof,
	context: Pick<IWebhookFunctions, 'getHeaderData' | 'getTimezone'>,
	readBody: ReadBody,
): Promise<string | undefined> {
	const headers = context.getHeaderData();
	const values: string[] = [];
	for (const name of proof.headers) {
		const value = ownMember(headers, name);
		if (name === '') return 'The credential names no header.';
		if (typeof value !== 'string' || value === '') return `The webhook has no header "${name}".`;
		values.push(value);
	}
	if (proof.time !== undefined) {
		const signedAt = millisecondsOf(stringOf(ownMember(headers, proof.time)), context.getTimezone());
		if (!(Math.abs(Date.now() - signedAt) <= TOLERANCE_MS))
			return `The time in the header "${proof.time}" differs from now by more than five minutes.`;
	}
	return (await proof.isGivenBy(values, readBody)) ? undefined : '';
}

const CREDENTIAL = 'customerMessagingWebhookApi';
const KEPT_MS = 10_000;

/** Minimum time between two reads of the credential for requests that do not match it, however many strangers send them. */
const READ_AGAIN_AFTER_MS = 1_000;

/** The proofs by workflow, node and credential. They contain no credential. */
const proofs = new ProcessMemory<{ readAt: number; proof: Promise<Proof> }>(KEPT_MS);

/**
 * Returns what the trigger's credential asks of a request. It is at most `oldestMs` old: n8n 2.41 starts a new interpreter
 * for each read of the credential, which takes longer than all other work for a delivery.
 *
 * @throws Error when the credential is unreadable
 */
async function readProof(context: IWebhookFunctions, oldestMs = KEPT_MS): Promise<Proof> {
	const key = `${nodeKey(context)}/${context.getNode().credentials?.[CREDENTIAL]?.id}`;
	const now = Date.now();
	const known = proofs.get(key);
	if (known && now - known.readAt < oldestMs) return await known.proof;
	const proof = context.getCredentials(CREDENTIAL).then(proofOf);
	proofs.set(key, { readAt: now, proof });
	proof.catch(() => proofs.delete(key));
	return await proof;
}

/**
 * Checks a caller by the trigger's credential, which it reads again before it refuses one. Returns what the credential asks for;
 * undefined if the trigger asks for nothing.
 *
 * @throws Refused for a stranger
 * @throws Error when the credential is unreadable
 */
export async function proveCaller(
	context: IWebhookFunctions,
	readBody: ReadBody,
): Promise<Proof | undefined> {
	if (context.getNodeParameter('authentication', 'credential') === 'none') return undefined;
	if (!context.getNode().credentials?.[CREDENTIAL]) throw new Refused('credential');
	const known = await readProof(context);
	const problem = await problemOf(known, context, readBody);
	if (problem === undefined) return known;
	const current = await readProof(context, READ_AGAIN_AFTER_MS);
	const remaining = current === known ? problem : await problemOf(current, context, readBody);
	if (remaining !== undefined) throw new Refused('proof', remaining);
	return current;
}

const MIN_SECRET_LENGTH = 16;

/** 24 bytes or more in Base64, which Standard Webhooks asks for. */
const STANDARD_SECRET = /^(?:whsec_)?[A-Za-z\d+/]{32,}={0,2}$/;

/** The characters that every system sends in a header in the same way. */
const IN_HEADERS = /^[\x20-\x7e]*$/;

/** The characters of a name as HTTP allows it. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]*$/;

function credentialProblem(data: ICredentialDataDecryptedObject): string | undefined {
	if (data.method === 'standardWebhooks')
		return STANDARD_SECRET.test(trimmed(data.secret))
			? undefined
			: 'The secret is not whsec_ with at least 24 bytes in Base64. Enter it as your account shows it.';
	const isBasic = data.method === 'basicAuth';
	const isSigned = data.method === 'hmac';
	const secret = stringOf(isBasic ? data.password : data.secret);
	const name = isBasic ? 'password' : 'secret';
	const other = trimmed(isBasic ? data.user : isSigned ? data.signatureHeaderName : data.headerName);
	const timestamp = isSigned ? trimmed(data.timestampHeaderName) : '';
	if (other === '')
		return `The ${isBasic ? 'user name' : 'header name'} is empty. Enter what the service sends.`;
	const wrong = [isBasic ? '' : other, timestamp].find((header) => !HEADER_NAME.test(header));
	if (wrong !== undefined)
		return `No header is named "${quote(wrong)}". Enter a name without spaces or a colon.`;
	if (timestamp.toLowerCase() === other.toLowerCase())
		return 'The timestamp and the signature are in the same header. Enter the header of each.';
	if (secret.length < MIN_SECRET_LENGTH)
		return `The ${name} has fewer than ${MIN_SECRET_LENGTH} characters. Choose a longer one and enter it in your account too.`;
	if (secret !== secret.trim())
		return `The ${name} begins or ends with a space or a line break. Enter it without.`;
	if (!isSigned && !IN_HEADERS.test(secret + (isBasic ? stringOf(data.user) : '')))
		return `The ${name} has characters that not every system sends in a header. Use letters without accents, digits and signs.`;
	return undefined;
}

/** Checks whether the credential is complete. It sends no test request, because n8n does not call the tenant. */
export async function checkWebhookSecret(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = credentialProblem(data);
	if (problem !== undefined) return { status: 'Error', message: problem };
	const isReplayable = data.method === 'hmac' && trimmed(data.timestampHeaderName) === '';
	const replayable = 'Without a timestamp, whoever has recorded a webhook can send it again after a day.';
	const complete = 'Complete. Enter the same values in the webhook settings of your account.';
	return { status: 'OK', message: isReplayable ? `${complete} ${replayable}` : complete };
}
