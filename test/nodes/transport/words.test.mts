import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { bearerToken, tokenHider } from '../../../nodes/CustomerMessaging/credential/accessToken.ts';
import {
	errorItem,
	failureOf,
	networkError,
	nodeError,
	statusError,
	unclearSendError,
	unreadableError,
} from '../../../nodes/CustomerMessaging/transport/errors.ts';
import { serviceMessage } from '../../../nodes/CustomerMessaging/transport/errorBody.ts';
import { statusFailure } from '../../../nodes/CustomerMessaging/transport/failures.ts';

const node = { name: 'Node', type: 't', typeVersion: 1, parameters: {} } as unknown as INode;
const attempt = (method = 'POST', secret = 'the-secret') => ({
	node: () => node,
	method,
	itemIndex: 3,
	hide: tokenHider(secret),
});
const LONG = 'x'.repeat(500);

describe('the words of the service', () => {
	it.each<[string, unknown, string | undefined]>([
		['message', { message: 'No' }, 'No'],
		['error', { error: 'No' }, 'No'],
		['detail', { detail: 'No' }, 'No'],
		['title', { title: 'No' }, 'No'],
		['error_description', { error_description: 'No' }, 'No'],
		['msg', { msg: 'No' }, 'No'],
		['message within error', { error: { message: 'No' } }, 'No'],
		['plain text', 'No', 'No'],
		['text with space around', ' No\n', 'No'],
		['a message with space around', { message: ' No ' }, 'No'],
		['a list of texts', ['No', 'Never'], 'No\nNever'],
		['a list with something else in it', ['No', 7], 'No'],
		['500 letters', LONG, LONG],
	])('are found in %s', (_, body, words) => {
		expect(serviceMessage(body)).toBe(words);
	});

	it.each<[string, unknown]>([
		['a page', '<html>No</html>'],
		['a page behind a line break', '\n <html>No</html>'],
		['more than 500 letters, which is a page', `${LONG}x`],
		['spaces', '   '],
		['an empty message', { message: '' }],
		['a number', 7],
		['null', null],
		['nothing', undefined],
		['an empty list', []],
		['something else', { status: 'No' }],
	])('are none in %s', (_, body) => {
		expect(serviceMessage(body)).toBeUndefined();
	});

	it('are taken where they come first: message, error, detail, title', () => {
		const all = { msg: 'f', error_description: 'e', title: 'd', detail: 'c', error: 'b', message: 'a' };
		expect(serviceMessage(all)).toBe('a');
		expect(serviceMessage({ ...all, message: undefined })).toBe('b');
		expect(serviceMessage({ ...all, message: '', error: null })).toBe('c');
		expect(serviceMessage({ ...all, message: 1, error: {}, detail: [] })).toBe('d');
	});
});

describe('a failing status', () => {
	const said = (status: number, body: unknown, method?: string, secret?: string) => {
		const { message, description, httpCode, context } = statusError(
			attempt(method, secret),
			status,
			body,
			(method ?? 'POST') !== 'GET' && !statusFailure(status).isNotDone,
		);
		return {
			message,
			lines: description?.split('\n'),
			httpCode,
			outcome: context.outcome,
			item: context.itemIndex,
		};
	};

	it('has the service’s words first, then what they mean, the fields, and the way out', () => {
		expect(
			said(422, { message: 'Invalid.', errors: { title: ['Taken.', ''], colour: { message: 'Odd.' } } }),
		).toEqual({
			message: 'Invalid.',
			lines: [
				'The service refused the values (HTTP 422).',
				'title: Taken.',
				'colour: Odd.',
				'Correct the values named here and try again.',
			],
			httpCode: '422',
			outcome: undefined,
			item: 3,
		});
	});

	it('has words of its own where the service has none', () => {
		expect(said(404, {})).toMatchObject({
			message: 'The record does not exist (HTTP 404)',
			lines: [expect.stringContaining('Check the ID')],
		});
	});

	it.each<[string, unknown, string[]]>([
		['a list of texts', { errors: ['One', ' Two '] }, ['One', 'Two']],
		[
			'a list of fields',
			{
				errors: [
					{ field: 'a', message: 'One' },
					{ param: 'b', detail: 'Two' },
				],
			},
			['a: One', 'b: Two'],
		],
		['a list with gaps', { errors: [null, 7, '', { field: 'a' }, 'One'] }, ['One']],
		['fields', { fields: { a: 'One', b: 7, c: null } }, ['a: One']],
	])('tells of fields in %s', (_, body, lines) => {
		expect(said(400, body).lines).toEqual([...lines, 'Check the values of this item.']);
	});

	it.each<[unknown]>([['text'], [{ errors: 'text' }], [{ errors: 7 }], [null], [[]]])(
		'tells of no fields in %j',
		(body) => {
			expect(said(400, body).lines?.at(-1)).toBe('Check the values of this item.');
			expect(said(400, body).lines?.length).toBeLessThanOrEqual(2);
		},
	);

	it.each([
		[300, 'The service answered with a redirect, which is not followed (HTTP 300)'],
		[399, 'The service answered with a redirect, which is not followed (HTTP 399)'],
		[402, 'The service refused the request (HTTP 402)'],
		[499, 'The service refused the request (HTTP 499)'],
		[500, 'The service had an internal problem (HTTP 500)'],
		[599, 'The service had an internal problem (HTTP 599)'],
	])('%i: %s', (status, message) => {
		expect(said(status, '').message).toBe(message);
	});

	it.each([
		[500, 'POST', 'unknown'],
		[503, 'PATCH', 'unknown'],
		[500, 'DELETE', 'unknown'],
		[500, 'GET', undefined],
		[499, 'POST', undefined],
	])('%i after a %s leaves it %s whether it was carried out', (status, method, outcome) => {
		expect(said(status, {}, method).outcome).toBe(outcome);
		expect(said(status, {}, method).lines?.at(-1)?.startsWith('The request may have been')).toBe(
			outcome === 'unknown',
		);
	});

	it('never repeats the token', () => {
		const body = { message: 'the-secret is no the-secret', errors: { 'the-secret': 'the-secret' } };
		const { message, lines } = said(422, body);
		expect(message).toBe('*** is no ***');
		expect(lines?.[1]).toBe('***: ***');
	});

	it('is as it is where there is no token', () => {
		expect(said(422, { message: 'No' }, 'POST', '').message).toBe('No');
	});
});

describe('a request without an answer', () => {
	it.each<[string, unknown, boolean, boolean]>([
		['refused', { code: 'ECONNREFUSED' }, true, false],
		['unknown host', { code: 'ENOTFOUND' }, true, false],
		['name server', { code: 'EAI_AGAIN' }, true, false],
		['no route to the host', { code: 'EHOSTUNREACH' }, true, false],
		['no route to the network', { code: 'ENETUNREACH' }, true, false],
		['reset', { code: 'ECONNRESET' }, false, false],
		['a code that only begins alike', { code: 'ECONNREFUSED_LATER' }, false, false],
		['a code that only ends alike', { code: 'WAS_ECONNREFUSED' }, false, false],
		['a stopped execution', { code: 'ERR_CANCELED' }, false, true],
		['an expired certificate', { code: 'CERT_HAS_EXPIRED' }, true, true],
		['a certificate of its own', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, true, true],
		['a certificate of nobody', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, true, true],
		['a name that the certificate lacks', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, true, true],
		['no TLS', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, true, true],
		['n8n 1, which gives the code by another name', { httpCode: 'ECONNREFUSED' }, true, false],
		['a code within', { code: 500, cause: { code: 'ECONNREFUSED' } }, true, false],
		['a code in small letters', { code: 'econnrefused' }, false, false],
		['a number', { code: 7 }, false, false],
		['nothing', {}, false, false],
		['null within', { cause: null }, false, false],
	])('%s', (_, error, neverSent, final) => {
		expect(failureOf(error)).toMatchObject({ isNotDone: neverSent, isFinal: final });
	});

	it('is final where this package refused it itself', () => {
		expect(failureOf(new UserError('No')).isFinal).toBe(true);
		expect(failureOf(new Error('wrapped', { cause: new UserError('No') })).isFinal).toBe(true);
	});

	it('says what this package said, with the way out', () => {
		const error = networkError(
			attempt(),
			new Error('wrapped', { cause: new UserError('No', { description: 'Do this.' }) }),
		);
		expect(error).toMatchObject({ message: 'No', description: 'Do this.', context: { itemIndex: 3 } });
	});

	it.each([
		['GET', {}, 'The service did not answer', 'Check the network and try again.'],
		['GET', { code: 'EPIPE' }, 'The service did not answer', 'Check the network and try again. (EPIPE)'],
		[
			'POST',
			{ code: 'EHOSTUNREACH' },
			'The tenant cannot be reached',
			"Check the network of n8n's machine. (EHOSTUNREACH)",
		],
		[
			'POST',
			{ code: 'ENETUNREACH' },
			'The tenant cannot be reached',
			"Check the network of n8n's machine. (ENETUNREACH)",
		],
	])('%s %j', (method, cause, message, description) => {
		expect(networkError(attempt(method), cause)).toMatchObject({ message, description });
	});
});

describe('any failure as an error of n8n', () => {
	it('keeps the item that an error names, and gives it one where it names none', () => {
		const named = new NodeOperationError(node, 'No', { itemIndex: 7 });
		expect(nodeError(node, named, 3)).toBe(named);
		expect(named.context.itemIndex).toBe(7);
		const nameless = new NodeApiError(node, {}, { message: 'No' });
		expect(nodeError(node, nameless, 3).context.itemIndex).toBe(3);
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
		const error = nodeError(node, failure, 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject(expected);
	});

	it('has no way out where there is none', () => {
		expect(nodeError(node, new Error('No')).description).toBeFalsy();
	});

	it('tells of an answer that cannot be read, whose outcome is unknown', () => {
		const error = unreadableError(node, { statusCode: 201 }, 2, 'POST');
		expect(error).toMatchObject({
			message: 'The service answered with something other than JSON (HTTP 201)',
			httpCode: '201',
			context: { itemIndex: 2, outcome: 'unknown' },
		});
		expect(error.description).toContain('A proxy or a login page');
	});

	it('tells of an answer to a read that cannot be read, without an unknown outcome', () => {
		expect(unreadableError(node, { statusCode: 200 }, 2).context.outcome).toBeUndefined();
	});

	it('tells of a message that may have been sent, with what was sent', () => {
		const error = unclearSendError(node, 'The connection broke', { phone_number: 1 }, 4);
		expect(error).toMatchObject({
			message: 'It is unclear whether the message was sent',
			context: { itemIndex: 4, outcome: 'unknown', sent: { phone_number: 1 } },
		});
		expect(error.description).toBe(
			'The connection broke.\nThe request may have been carried out: check in the tenant before you send it again.',
		);
	});
});

describe('what Continue gives out for a failure', () => {
	it('is the message alone where there is no more to say', () => {
		const item = errorItem(new NodeOperationError(node, 'No'), 5);
		expect(item).toEqual({ json: { error: 'No' }, pairedItem: { item: 5 } });
		expect(Object.keys(item)).toEqual(['json', 'pairedItem']);
		expect((item as { error?: unknown }).error).toBeUndefined();
	});

	it('has the way out, the outcome and what was sent as details', () => {
		const error = unclearSendError(node, 'It broke', { text: 'Hello' }, 4);
		expect(errorItem(error, 4).json.details).toEqual({
			description: error.description,
			outcome: 'unknown',
			sent: { text: 'Hello' },
		});
	});

	it('carries the error itself, unseen, only where there is an error output', () => {
		const withOutput = { ...node, onError: 'continueErrorOutput' } as INode;
		const error = new NodeOperationError(withOutput, 'No');
		const item = errorItem(error, 0);
		expect((item as { error?: unknown }).error).toBe(error);
		expect(Object.keys(item)).toEqual(['json', 'pairedItem']);
	});
});

describe('the token', () => {
	it.each([
		['abc', 'abc'],
		['  abc\n', 'abc'],
		['Bearer abc', 'abc'],
		['bearer   abc', 'abc'],
		['abc Bearer def', 'abc Bearer def'],
		['Bearerabc', 'Bearerabc'],
		[7, '7'],
	])('%j goes out as %j', (typed, expected) => {
		expect(bearerToken(typed)).toBe(expected);
	});

	it.each([[''], ['  '], [undefined], [null]])(
		'is missing where it is %j, and the error says what to do',
		(typed) => {
			let error: unknown;
			try {
				bearerToken(typed);
			} catch (caught) {
				error = caught;
			}
			expect(error).toMatchObject({
				message: 'The access token is empty',
				description: 'Open the credential and enter the access token of your tenant.',
			});
		},
	);
});
