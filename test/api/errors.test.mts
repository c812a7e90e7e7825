import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import {
	Failure,
	isRefusedWith,
	lateError,
	networkFailureOf,
	type RequestFailure,
	unreadableError,
} from '../../nodes/CustomerMessaging/api/errors.ts';
import { statusFailure } from '../../nodes/CustomerMessaging/api/failures.ts';
import { redactor } from '../../nodes/CustomerMessaging/api/redact.ts';
import { cut } from '../../nodes/CustomerMessaging/values/text.ts';
import { told, toNodeError } from '../context/told.mts';
import { leaksIn } from '../engine/leaks.mts';
import { nodeOf } from '../engine/otherNodes.mts';

const TOKEN = 'the-token-of-a-tenant';
const node: INode = nodeOf('Node', 'test.node');

/** What a failed request is told as. */
const toldAs = (failed: RequestFailure, method = 'POST', token = TOKEN) =>
	toNodeError(node, new Failure(failed, { method }), redactor(token)) as NodeApiError;

describe('a failing status', () => {
	const said = (status: number, body: unknown, method = 'POST', token = TOKEN) => {
		const error = toldAs({ failure: statusFailure(status), status, body }, method, token);
		expect(leaksIn(error, TOKEN)).toEqual([]);
		const { message, description, httpCode, context } = error;
		return { message, lines: description?.split('\n'), httpCode, ...context };
	};

	it('has the service’s words first, then what they mean, the fields, and the way out', () => {
		const errors = { title: ['Taken.', ''], colour: 'Odd.' };
		expect(said(422, { message: 'Invalid.', errors })).toEqual({
			message: 'Invalid.',
			lines: [
				'The service refused the values (HTTP 422).',
				'title: Taken.',
				'colour: Odd.',
				'Correct the values named here and try again.',
			],
			httpCode: '422',
		});
	});

	it.each([
		['The name is required.', 'name: The name is required.', ['email: Taken.']],
		['The name is required. (and 1 more error)', 'name: The name is required.', ['email: Taken.']],
		['The name is wrong.', 'The name is wrong.', ['name: The name is required.', 'email: Taken.']],
	])('tells the first field error in the place of a message that repeats it: %s', (message, told, fields) => {
		const errors = { name: ['The name is required.'], email: ['Taken.'] };
		expect(said(422, { message, errors })).toMatchObject({
			message: told,
			lines: [
				'The service refused the values (HTTP 422).',
				...fields,
				'Correct the values named here and try again.',
			],
		});
	});

	it.each<[number, string, string | RegExp]>([
		[199, 'The service answered with a status that HTTP does not have', 'Check the Tenant Domain'],
		[200, 'The service refused the request', 'Check the values of this item.'],
		[300, 'The service answered with a redirect, which is not followed', 'Check the Tenant Domain'],
		[399, 'The service answered with a redirect, which is not followed', 'only sent to that host'],
		[400, 'The service did not understand the request', 'Check the values of this item.'],
		[401, 'The access token was refused', 'enter a complete, valid access token of this account.'],
		[402, 'The service refused the request', 'Check the values of this item.'],
		[403, 'The user behind the access token may not do this', 'or attach the user to the customer first'],
		[404, 'The record does not exist', 'Check the ID and the Tenant Domain.'],
		[408, 'The service did not get the request in time', 'Try again.'],
		[409, 'The service refused the change', 'Change the value that is in conflict and try again.'],
		[413, 'What was sent is too large', 'Send less at once.'],
		[415, 'This type of file is not allowed', 'Get Allowed MIME Types'],
		[418, 'The service refused the request', 'Check the values of this item.'],
		[422, 'The service refused the values', 'Correct the values named here and try again.'],
		[429, 'Too many requests at once', 'lower Maximum in Flight'],
		[499, 'The service refused the request', 'Check the values of this item.'],
		[500, 'The service had an internal problem', 'Try again later.'],
		[503, 'The service had an internal problem', 'Try again later.'],
		[599, 'The service had an internal problem', 'Try again later.'],
	])('%i without words is told as "%s", with the way out', (status, headline, remedy) => {
		for (const body of ['', {}, null, [], undefined, '<!doctype html><title>Bad gateway</title>']) {
			const { message, lines, httpCode } = said(status, body, 'GET');
			expect([message, httpCode]).toEqual([`${headline} (HTTP ${status})`, String(status)]);
			expect(lines).toEqual([expect.stringContaining(String(remedy))]);
		}
	});

	it.each([
		[500, 'POST', 'unknown'],
		[503, 'PATCH', 'unknown'],
		[500, 'DELETE', 'unknown'],
		[500, 'GET', undefined],
		[499, 'POST', undefined],
		[429, 'POST', undefined],
	])('%i after a %s leaves it %s whether it was carried out', (status, method, outcome) => {
		const { outcome: told, lines } = said(status, {}, method) as { outcome?: string; lines?: string[] };
		expect(told).toBe(outcome);
		expect(lines?.at(-1)?.startsWith('The request may have been')).toBe(outcome === 'unknown');
	});

	it('never repeats the token', () => {
		const body = { message: `${TOKEN} is no ${TOKEN}`, errors: { [TOKEN]: TOKEN } };
		const { message, lines } = said(422, body);
		expect([message, lines?.[1]]).toEqual(['*** is no ***', '***: ***']);
		expect(said(422, { message: 'No' }, 'POST', '').message).toBe('No');
	});

	it('says as much as 2,000 characters of the service, and 9,000 about fields', () => {
		const { message, lines } = said(422, {
			message: 'x'.repeat(2001),
			errors: { name: ['y'.repeat(5000), 'z'.repeat(5000)] },
		});
		expect(message).toBe(`${'x'.repeat(1999)}…`);
		expect(lines?.slice(1, 3).join('\n')).toHaveLength(9000);
		expect(said(422, { message: 'x'.repeat(2000) }).message).toBe('x'.repeat(2000));
	});
});

/** As n8n wraps what axios throws; the innermost carries the request with its headers. */
const wrapped = (code: string, syscall?: string) =>
	new Error('wrapped', {
		cause: Object.assign(new Error('inner'), {
			code,
			syscall,
			config: { headers: { Authorization: `Bearer ${TOKEN}` } },
		}),
	});

describe('a request without an answer', () => {
	const UNREACHED = 'The service cannot be reached';
	const NOT_ENCRYPTED = 'The connection to the service could not be encrypted';
	it.each([
		['getaddrinfo ENOTFOUND', 'The Tenant Domain is unknown', 'Check the spelling', undefined],
		['getaddrinfo EAI_AGAIN', 'The Tenant Domain could not be looked up', 'name server', undefined],
		['connect ECONNREFUSED', 'Nothing answers at the Tenant Domain', 'and its port', undefined],
		['connect EHOSTUNREACH', UNREACHED, "Check the network of n8n's machine", undefined],
		['connect ENETUNREACH', UNREACHED, "Check the network of n8n's machine", undefined],
		['connect ETIMEDOUT', UNREACHED, "Check the network of n8n's machine", undefined],
		['read ECONNREFUSED', 'The service did not answer', 'may have been carried out', 'unknown'],
		['read EHOSTUNREACH', 'The service did not answer', 'may have been carried out', 'unknown'],
		['read ENETUNREACH', 'The service did not answer', 'may have been carried out', 'unknown'],
		['read EPROTO', NOT_ENCRYPTED, 'may have been carried out', 'unknown'],
		['ERR_SSL_BAD_RECORD_TYPE', NOT_ENCRYPTED, 'may have been carried out', 'unknown'],
		['CERT_HAS_EXPIRED', "The service's certificate is not trusted", 'NODE_EXTRA_CA_CERTS', undefined],
		['ERR_TLS_CERT_ALTNAME_INVALID', "The service's certificate is not trusted", 'Tenant Domain', undefined],
		['ECONNRESET', 'The service did not answer', 'may have been carried out', 'unknown'],
		['ECONNABORTED', 'The service did not answer', 'may have been carried out', 'unknown'],
		['ETIMEDOUT', 'The service did not answer', 'may have been carried out', 'unknown'],
		['EHALTED', 'The response of the service came to a halt', 'may have been carried out', 'unknown'],
		['E2BIG', 'The response of the service is larger than 32 MB', 'may have been carried out', 'unknown'],
		['EFBIG', 'The file is larger than 2 GB', 'may have been carried out', 'unknown'],
		['ERR_CANCELED', 'The execution was stopped during the request', 'may have been', 'unknown'],
	])('because of %s is told as "%s"', (what, message, description, outcome) => {
		const [code, syscall] = what.split(' ').reverse();
		const write = toldAs(networkFailureOf(wrapped(code, syscall)));
		expect(write).toMatchObject({ message });
		expect(write.description).toContain(description);
		expect(write.description).toMatch(new RegExp(` \\(${code}\\)\\.$`));
		expect(write.context.outcome).toBe(outcome);
		const read = toldAs(networkFailureOf(wrapped(code, syscall)), 'GET');
		expect(read.context.outcome).toBeUndefined();
		expect(read.description).not.toContain('carried out');
		expect(leaksIn([read, write], TOKEN)).toEqual([]);
	});

	it.each(['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH'])(
		'because of %s on the way to a proxy blames the proxy, not the Tenant Domain',
		(code) => {
			const error = toldAs(networkFailureOf(wrapped(code, 'connect'), {}), 'POST');
			expect(error.message).toBe('The proxy cannot be reached');
			expect(error.description).not.toContain('Tenant Domain');
			expect(error.context.outcome).toBeUndefined();
		},
	);

	it('because of nothing that is known is told without a code', () => {
		expect(toldAs(networkFailureOf({}), 'GET')).toMatchObject({
			message: 'The service did not answer',
			description: 'Check the network and try again.',
		});
	});

	it.each<[string, unknown, boolean, boolean]>([
		['refused', { code: 'ECONNREFUSED', syscall: 'connect' }, true, false],
		['unknown host', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, true, false],
		['name server', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, true, false],
		['no route to the host', { code: 'EHOSTUNREACH', syscall: 'connect' }, true, false],
		['no route to the network', { code: 'ENETUNREACH', syscall: 'connect' }, true, false],
		['no connection in time', { code: 'ETIMEDOUT', syscall: 'connect' }, true, false],
		['refused on an open connection', { code: 'ECONNREFUSED', syscall: 'read' }, false, false],
		['no route to the host any more', { code: 'EHOSTUNREACH', syscall: 'read' }, false, false],
		['no route to the network any more', { code: 'ENETUNREACH', syscall: 'write' }, false, false],
		['refused, by whom is not told', { code: 'ECONNREFUSED' }, false, false],
		['reset', { code: 'ECONNRESET' }, false, false],
		['reset while connecting', { code: 'ECONNRESET', syscall: 'connect' }, true, false],
		['a stopped execution', { code: 'ERR_CANCELED' }, false, true],
		['an expired certificate', { code: 'CERT_HAS_EXPIRED' }, true, true],
		['a certificate of its own', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, true, true],
		['a certificate of nobody', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, true, true],
		['a name that the certificate lacks', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, true, true],
		['a certificate of an unknown issuer', { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }, true, true],
		['no TLS', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, false, false],
		['an alert of TLS', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }, false, false],
		['a record with a wrong checksum', { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' }, false, false],
		['a broken protocol', { code: 'EPROTO', syscall: 'write' }, false, false],
		[
			'a call within, below a code of n8n',
			{ code: 'noAnswer', cause: { code: 'ECONNREFUSED', syscall: 'connect' } },
			true,
			false,
		],
		[
			'several addresses of a host, of which none connects',
			{
				code: 'ETIMEDOUT',
				errors: ['ETIMEDOUT', 'ECONNREFUSED'].map((code) => ({ code, syscall: 'connect' })),
			},
			true,
			false,
		],
		['a number', { code: 7 }, false, false],
		['not a number', { code: NaN }, false, false],
		['nothing', {}, false, false],
		['null within', { cause: null }, false, false],
		['what this package refused itself', new UserError('No'), true, true],
		['the same, wrapped', new Error('wrapped', { cause: new UserError('No') }), true, true],
	])('that was %s is known by its code', (_, error, isNotDone, isFinal) => {
		const failure = networkFailureOf(error).failure;
		expect(failure).toMatchObject({ isNotDone, isFinal });
	});

	it('says what this package said, with the way out', () => {
		const own = new UserError('No', { description: 'Do this.' });
		expect(toldAs(networkFailureOf(new Error('wrapped', { cause: own })))).toMatchObject({
			message: 'No',
			description: 'Do this.',
		});
	});
});

describe('any failure as an error of n8n', () => {
	it('keeps the item that an error names, and gives it one where it names none', () => {
		const named = new NodeOperationError(node, 'No', { itemIndex: 7 });
		expect(toNodeError(node, named, cut, 3)).toBe(named);
		expect(named.context.itemIndex).toBe(7);
		const first = new NodeOperationError(node, 'No', { itemIndex: 0 });
		expect(toNodeError(node, first, cut, 3).context.itemIndex).toBe(0);
		const nameless = new NodeApiError(node, {}, { message: 'No' });
		expect(toNodeError(node, nameless, cut, 3).context.itemIndex).toBe(3);
	});

	it.each<[string, unknown, object]>([
		['an error', new Error('No'), { message: 'No', context: { itemIndex: 3 } }],
		['text', 'No', { message: 'No' }],
		[
			'an error of this package',
			new UserError('No', { description: 'Do this.' }),
			{ message: 'No', description: 'Do this.' },
		],
	])('is made of %s', (_, failure, expected) => {
		const error = toNodeError(node, failure, cut, 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject(expected);
		if (!('description' in expected)) expect(error.description).toBeFalsy();
	});

	it.each([
		['POST', 'unknown'],
		['GET', undefined],
	])('tells of an answer that cannot be read: %s', (method, outcome) => {
		const error = told(unreadableError('OK', method));
		expect(error).toMatchObject({
			message: 'The service answered with something other than JSON (HTTP 200)',
			httpCode: '200',
		});
		expect(error.context.outcome).toBe(outcome);
		expect(error.description).toContain('A proxy, a login page or a bot check');
		expect(error.description?.includes('may have been carried out')).toBe(outcome === 'unknown');
	});

	it.each([
		[0, 'Other requests to the service took longer than 5 s'],
		[2000, 'The service takes no requests for another 2 s'],
	])('tells why a turn comes too late, with a pause of %i ms', (pause, message) => {
		expect(told(lateError(pause, 5000)).message).toBe(message);
	});

	it.each([null, [], { id: 1 }])('tells of JSON that is no record: %j', (body) => {
		expect(told(unreadableError({ statusCode: 200, body })).message).toBe(
			'The service answered with something other than a record (HTTP 200)',
		);
	});
});

describe('an error that leaves', () => {
	const base64 = Buffer.from(`Bearer ${TOKEN}`).toString('base64');
	const url = 'the key/of "the" tenant';
	const redact = redactor(TOKEN, url);

	it('tells no secret in its message, description, details and stack, and loses its cause', () => {
		const cause = Object.assign(new Error(TOKEN), { config: { headers: TOKEN } });
		const error = new NodeOperationError(node, cause, { description: `Bearer ${base64}` });
		const odd = {
			[TOKEN]: [{ text: `${encodeURIComponent(url)} and ${JSON.stringify(url)}`, id: 7, none: null }],
		};
		Object.assign(error.context, { sent: odd, read: odd, undelivered: odd });
		const left = toNodeError(node, error, redact);
		expect(left).toBe(error);
		expect(left.message).toBe('***');
		expect(left.description).toMatch(/^Bearer .*\*\*\*/);
		const hidden = { '***': [{ text: '*** and "***"', id: 7, none: null }] };
		expect(left.context).toMatchObject({ sent: hidden, read: hidden, undelivered: hidden });
		expect(left.cause).toBeUndefined();
		expect([...leaksIn(left, TOKEN), ...leaksIn(left, url)]).toEqual([]);
	});

	it.each<[string, unknown]>([
		['an error', new Error(`No ${TOKEN}`)],
		['a text', `No ${TOKEN}`],
		['an error of this package', new UserError('No', { description: `No ${TOKEN}` })],
		['an error of n8n', new NodeApiError(node, { message: TOKEN }, { message: `No ${TOKEN}` })],
	])('tells no secret of %s', (_, thrown) => {
		const { message, description, stack, messages } = toNodeError(node, thrown, redact);
		expect(leaksIn({ message, description, stack, messages }, TOKEN)).toEqual([]);
		expect(message).toMatch(/^No/);
	});

	it('keeps the sentences of this package as they are, whatever the token is', () => {
		const common = redactor('record');
		const failed = { failure: statusFailure(404), status: 404, body: { message: 'No record' } };
		const { message, description } = toNodeError(node, new Failure(failed), common);
		expect(message).toBe('No ***');
		expect(description).toContain('The record does not exist (HTTP 404).');
	});

	it('holds no markup, neither of the service nor of a value', () => {
		const body = { message: 'No <a href=//e.io>', errors: { title: 'Not <b>' } };
		const refused = told(new Failure({ failure: statusFailure(422), status: 422, body }));
		expect(refused.message).toBe('No ‹a href=//e.io>');
		expect(refused.description).toContain('title: Not ‹b>');
		expect(told(new Error('"<b>" is no number')).message).toBe('"‹b>" is no number');
	});
});

describe('a refusal', () => {
	const failed = (status: number, body?: unknown) =>
		new Failure({ failure: statusFailure(status, body), status, body });

	it('is known by its status, but for a page, which says nothing about a record', () => {
		expect(isRefusedWith(failed(404), 403, 404)).toBe(true);
		expect(isRefusedWith(failed(422), 403, 404)).toBe(false);
		expect(isRefusedWith(failed(404, '<html>'), 403, 404)).toBe(false);
		expect(isRefusedWith(new Error('404'), 404)).toBe(false);
	});
});
