import type { INode } from 'n8n-workflow';

import { tokenHider } from '../../../nodes/CustomerMessaging/credential/accessToken.ts';

import { networkError } from '../../../nodes/CustomerMessaging/transport/errors.ts';
import { leaksIn } from '../../engine/leaks.mts';

const TOKEN = 'the-token-of-a-tenant';

const attempt = (method: string) => ({
	node: () => ({}) as INode,
	method,
	itemIndex: 3,
	hide: tokenHider(TOKEN),
});

/** As n8n wraps what axios throws; the innermost carries the request with its headers. */
const wrapped = (code: string) =>
	new Error('wrapped', {
		cause: Object.assign(new Error('inner'), {
			code,
			config: { headers: { Authorization: `Bearer ${TOKEN}` } },
		}),
	});

test.each([
	['ENOTFOUND', 'The tenant domain is unknown', 'Check the spelling', undefined],
	['EAI_AGAIN', 'The tenant domain could not be looked up', 'name server', undefined],
	['ECONNREFUSED', 'Nothing answers at the tenant domain', 'port', undefined],
	['EHOSTUNREACH', 'The tenant cannot be reached', 'network', undefined],
	[
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		"The tenant's certificate is not trusted",
		'NODE_EXTRA_CA_CERTS',
		undefined,
	],
	['CERT_HAS_EXPIRED', "The tenant's certificate is not trusted", 'NODE_EXTRA_CA_CERTS', undefined],
	['ERR_TLS_CERT_ALTNAME_INVALID', "The tenant's certificate is not trusted", 'tenant domain', undefined],
	['ECONNRESET', 'The service did not answer', 'may have been carried out', 'unknown'],
	['ECONNABORTED', 'The service did not answer', 'may have been carried out', 'unknown'],
	['ETIMEDOUT', 'The service did not answer', 'may have been carried out', 'unknown'],
])('a write that ends in %s', (code, message, description, outcome) => {
	const error = networkError(attempt('POST'), wrapped(code));
	expect(error.message).toBe(message);
	expect(error.description).toContain(description);
	expect(error.context).toMatchObject({ itemIndex: 3 });
	expect(error.context.outcome).toBe(outcome);
	expect(leaksIn(error, TOKEN)).toEqual([]);
});

test('a read is never unclear', () => {
	const error = networkError(attempt('GET'), wrapped('ECONNRESET'));
	expect(error.description).toContain('Check the network and try again');
	expect(error.context.outcome).toBeUndefined();
});
