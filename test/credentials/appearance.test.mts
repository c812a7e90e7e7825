import { existsSync } from 'node:fs';
import path from 'node:path';

import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import packageJson from '../../package.json' with { type: 'json' };
import { anchorsOf, readDocument } from '../docs/markdown.mts';
import { loadedPackage } from '../engine/engine.mts';

/** The credential as it is in the sources, whose links lead to the owner's documents in the package. */
async function sourceOf(name: string): Promise<{ documentationUrl: string }> {
	const file = name.replace(/^./, (letter) => letter.toUpperCase());
	const module = (await import(`../../credentials/${file}.credentials.ts`)) as Record<
		string,
		new () => { documentationUrl: string }
	>;
	return new module[file]();
}

const typeOf = async (name: string): Promise<ICredentialType> =>
	(await loadedPackage()).getCredential(name).type;

/** The fields that a person sees, with what they hold when the credential is new. */
async function shown(name: string, chosen: Record<string, string> = {}): Promise<Record<string, unknown>> {
	const { properties } = await typeOf(name);
	const values = { ...Object.fromEntries(properties.map((one) => [one.name, one.default])), ...chosen };
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(values as never, property, null, null);
	return Object.fromEntries(properties.filter(isShown).map((one) => [one.name, one.default]));
}

describe.each(['customerMessagingApi', 'customerMessagingWebhookApi'])('the credential %s', (name) => {
	it.each(['light', 'dark'] as const)('has an icon for the %s theme in the package', async (theme) => {
		const { iconUrl } = await typeOf(name);
		const icon = (iconUrl as Record<typeof theme, string>)[theme];
		const [, , ...inPackage] = icon.split('/');
		expect(icon.endsWith('dark.svg')).toBe(theme === 'dark');
		expect(existsSync(path.resolve(import.meta.dirname, '../..', ...inPackage))).toBe(true);
	});

	it('has its help in a chapter of the README, and shows no link to it as long as there is no owner', async () => {
		const { documentationUrl } = await sourceOf(name);
		const [home, anchor] = documentationUrl.split('#');
		expect(anchorsOf(readDocument('README.md'))).toContain(anchor);
		const { homepage } = packageJson;
		const hasOwner = !homepage.startsWith(home);
		const { documentationUrl: shownUrl } = await typeOf(name);
		expect(shownUrl).toBe(hasOwner ? `${homepage.split('#')[0]}#${anchor}` : undefined);
	});

	it('hides what is secret, and nothing else', async () => {
		const { properties } = await typeOf(name);
		const hidden = properties.filter(({ typeOptions }) => typeOptions?.password).map((one) => one.name);
		const secrets = ['accessToken', 'password', 'secret'];
		expect(hidden).toEqual(properties.map((one) => one.name).filter((one) => secrets.includes(one)));
	});
});

it('the tenant’s credential asks for its domain and its token', async () => {
	expect(await shown('customerMessagingApi')).toEqual({
		tenantDomain: '',
		accessToken: '',
		advanced: {},
	});
});

describe('the credential of the trigger', () => {
	const hmac = {
		signatureHeaderName: 'X-Signature',
		secret: '',
		encoding: 'hex',
		prefix: '',
		timestampHeaderName: '',
	};

	it.each([
		['basicAuth', { user: '', password: '' }],
		['headerSecret', { headerName: 'X-Webhook-Secret', secret: '' }],
		['hmac', hmac],
		['standardWebhooks', { secret: '' }],
	])('asks with the method %s for what belongs to it', async (method, fields) => {
		expect(await shown('customerMessagingWebhookApi', { method })).toEqual({
			method: 'headerSecret',
			...fields,
		});
	});

	it('is given to the trigger alone', async () => {
		const { restrictToSupportedNodes, supportedNodes } = await typeOf('customerMessagingWebhookApi');
		expect([restrictToSupportedNodes, supportedNodes]).toEqual([true, ['customerMessagingTrigger']]);
	});

	it('asks for a header’s secret unless told otherwise', async () => {
		expect(Object.keys(await shown('customerMessagingWebhookApi'))).toEqual([
			'method',
			'headerName',
			'secret',
		]);
	});
});
