import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { pixelBinary, PIXEL } from '../engine/pixel.mts';
import { byId, TestTenant } from '../engine/tenant.mts';
import { ask } from '../sandbox/tenantClient.mts';

const tenant = TestTenant.inEachTest();

/** One kind of component: how the template describes it, and how the item fills it in. */
interface Case {
	components: IDataObject[];
	/** Values of the form. */
	values?: IDataObject;
	/** Parameters in place of the form. */
	parameters?: INodeParameters;
	options?: INodeParameters;
	items?: INodeExecutionData[];
}

const BODY = { type: 'BODY', text: 'Hello' };
const LINK = 'https://files.example/a';
const json = (...components: IDataObject[]): INodeParameters => ({
	variablesMode: 'json',
	templateComponents: JSON.stringify(components),
});
const textOf = (text: string) => ({ type: 'text', text });
const buttons = (...list: IDataObject[]) => [BODY, { type: 'BUTTONS', buttons: list }];
const document = { fileName: 'terms.pdf', mimeType: 'application/pdf', data: PIXEL.toString('base64') };
const UPLOADED = 'an uploaded file';

const CASES: Record<string, Case> = {
	'a template without variables': { components: [BODY] },
	'a header text, numbered': {
		components: [{ type: 'HEADER', format: 'TEXT', text: 'Dear {{1}}' }, BODY],
		values: { header_text_1: 'Jo' },
	},
	'a header text, named': {
		components: [{ type: 'HEADER', format: 'TEXT', text: 'Dear {{first_name}}!' }, BODY],
		values: { header_text_first_name: 'Jo' },
	},
	'a header text without variables': {
		components: [{ type: 'HEADER', format: 'TEXT', text: 'Good news' }, BODY],
	},
	...Object.fromEntries(
		['image', 'video', 'document'].map((kind): [string, Case] => [
			`a header ${kind} by its URL`,
			{
				components: [{ type: 'HEADER', format: kind.toUpperCase() }, BODY],
				values: {
					[`header_${kind}`]: ` ${LINK} `,
					...(kind === 'document' && { header_document_filename: 'terms.pdf' }),
				},
			},
		]),
	),
	'a header image that was uploaded before': {
		components: [{ type: 'HEADER', format: 'IMAGE' }, BODY],
		values: { header_image: UPLOADED },
	},
	'a header image from a binary field': {
		components: [{ type: 'HEADER', format: 'IMAGE' }, BODY],
		values: { header_image: 'data' },
		items: [{ json: {}, binary: { data: pixelBinary } }],
	},
	'a header document from a binary field': {
		components: [{ type: 'HEADER', format: 'DOCUMENT' }, BODY],
		values: { header_document: 'data' },
		items: [{ json: {}, binary: { data: document } }],
	},
	'a header document of the provider, by its ID': {
		components: [{ type: 'HEADER', format: 'DOCUMENT' }, BODY],
		parameters: json({
			type: 'header',
			parameters: [{ type: 'document', document: { id: '12345', filename: 'terms.pdf' } }],
		}),
	},
	'a header location': {
		components: [{ type: 'HEADER', format: 'LOCATION' }, BODY],
		values: {
			header_location_latitude: '52.5200',
			header_location_longitude: '13.4050',
			header_location_name: 'Shop',
			header_location_address: '1 Example Street',
		},
	},
	'a header location without a name': {
		components: [{ type: 'HEADER', format: 'LOCATION' }, BODY],
		values: { header_location_latitude: '52.5200', header_location_longitude: '13.4050' },
	},
	'a numbered body': {
		components: [{ type: 'BODY', text: 'Hi {{1}}, {{ 2 }} and {{1}} again\n*bold* {{3}}' }],
		values: { body_3: 'three', body_1: 'one {{2}}', body_2: 'two $& $1' },
	},
	'a named body': {
		components: [{ type: 'BODY', text: 'Hi {{first_name}} of {{shop_name}}' }],
		values: { body_first_name: 'Jo', body_shop_name: 'Sunset Parcels' },
	},
	'a body built by hand': {
		components: [{ type: 'BODY', text: 'Hi {{1}} and {{2}}' }],
		parameters: {
			variablesMode: 'components',
			bodyVariables: {
				variable: [
					{ name: '2', text: 'two' },
					{ name: '1', text: 'one' },
				],
			},
		},
	},
	'a body with a currency and a date': {
		components: [{ type: 'BODY', text: '{{1}} until {{2}}' }],
		parameters: json({
			type: 'BODY',
			parameters: [
				{ type: 'currency', currency: { fallback_value: '5 EUR', code: 'EUR', amount_1000: 5000 } },
				{ type: 'date_time', date_time: { fallback_value: 'Monday' } },
			],
		}),
	},
	'a footer': { components: [BODY, { type: 'FOOTER', text: 'Reply STOP' }] },
	'URL buttons': {
		components: buttons(
			{ type: 'URL', text: 'Shop', url: 'https://shop.example/' },
			{ type: 'URL', text: 'Track', url: 'https://shop.example/track/{{1}}?lang=en' },
		),
		values: { button_1_url: 'A-1001' },
	},
	'quick reply buttons': {
		components: buttons({ type: 'QUICK_REPLY', text: 'Yes' }, { type: 'QUICK_REPLY', text: 'No' }),
		values: { button_1_quick_reply: 'no-thanks' },
	},
	'a copy code button': {
		components: buttons({ type: 'COPY_CODE', text: 'Copy code' }),
		values: { button_0_copy_code: 'HELLO10' },
	},
	'a phone button': {
		components: buttons({ type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+4930123456' }),
	},
	'a flow button': {
		components: buttons({ type: 'FLOW', text: 'Book' }),
		values: { button_0_flow: 'token' },
	},
	'a flow button without a token': { components: buttons({ type: 'FLOW', text: 'Book' }) },
	placeholders: {
		components: [{ type: 'BODY', text: 'Hi {{1}}, %name% stays' }, ...buttons().slice(1)],
		values: { body_1: 'Dear %name%, %%, $gone$.' },
		options: {
			placeholders: {
				placeholder: [
					{ key: '%name%', value: 'J$&o' },
					{ key: '%%', value: '%name%' },
					{ key: '$gone$', value: '' },
					{ key: 'J', value: 'K' },
				],
			},
		},
	},
	'placeholders in a URL and a file': {
		components: [
			{ type: 'HEADER', format: 'IMAGE' },
			...buttons({ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' }),
		],
		values: { header_image: `${LINK}/NAME.png`, button_0_url: 'NAME' },
		options: { placeholders: { placeholder: [{ key: 'NAME', value: 'jo' }] } },
	},
	'all together': {
		components: [
			{ type: 'HEADER', format: 'TEXT', text: 'Welcome, {{1}}' },
			{ type: 'BODY', text: 'Line one\n\nLine two for {{1}}' },
			{ type: 'FOOTER', text: 'Reply STOP' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'QUICK_REPLY', text: 'OK' },
					{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
				],
			},
		],
		parameters: json(
			{ type: 'header', parameters: [textOf('Jo')] },
			{ type: 'body', parameters: [textOf('you')] },
			{ type: 'button', sub_type: 'url', index: 1, parameters: [textOf('A-1')] },
		),
	},
};

/** What the inbox shows of the last message in a conversation. */
async function shownInInbox(conversationId: unknown): Promise<Shown> {
	const { body } = await ask(`${tenant.sandbox.url}/sandbox/inbox/conversations/${String(conversationId)}`);
	const { messages } = body as { messages: Array<{ contents: Array<{ template: Shown }> }> };
	return messages.at(-1)?.contents[0].template as Shown;
}

type Shown = Record<'body' | 'footer' | 'header', { type: string; text?: string } | undefined> & {
	buttons?: Array<{ type: string; text: string; url?: string; code?: string; phone_number?: string }>;
};

/** The text of a message as the inbox shows it. */
function shownText({ header, body, footer, buttons = [] }: Shown): string {
	const lines = buttons.map(({ text, url = '', code = '', phone_number = '' }) =>
		`[${text}] ${url}${code}${phone_number}`.trim(),
	);
	const parts = [header && (header.text ?? `[${header.type}]`), body?.text, footer?.text, lines.join('\n')];
	return parts.filter(Boolean).join('\n\n');
}

/** A temporary address is signed anew each time. */
const unsigned = (value: unknown): unknown =>
	JSON.parse(JSON.stringify(value).replace(/(signature|expires)=[\w-]+/g, '$1=…'));

describe('the preview equals what the inbox of the sandbox then shows', () => {
	it.each(Object.keys(CASES))('%s', async (name) => {
		const { components, values = {}, parameters, options = {}, items } = CASES[name];
		await tenant.tell('/templates', { name: 'one', language: 'de', category: 'UTILITY', components });
		const uuid = await tenant.upload('image', 'image/png', 'dot.png', PIXEL);
		const value = Object.fromEntries(
			Object.entries(values).map(([id, given]) => [id, given === UPLOADED ? uuid : given]),
		);
		const message: INodeParameters = {
			resource: 'message',
			operation: 'sendTemplate',
			phoneNumber: '+49 171 1234567',
			agentId: byId(
				(await tenant.ask<{ data: Array<{ id: number }> }>('/agents?channel=chatapp')).data[0].id,
			),
			templateName: byId('one'),
			templateLanguage: 'de',
			variablesMode: 'form',
			variables: { mappingMode: 'defineBelow', value, schema: [] } as unknown as INodeParameters,
			...parameters,
			options,
		};
		tenant.sandbox.clearRequests();
		const preview = await tenant.run({ ...message, operation: 'previewTemplate' }, { items });
		expect(preview.error).toBeUndefined();
		expect(new Set(tenant.sent().map(({ method }) => method))).toEqual(new Set(['GET']));

		tenant.sandbox.clearRequests();
		const sent = await tenant.run(message, { items });
		expect(sent.error).toBeUndefined();
		const shown = await shownInInbox(sent.items[0].json.conversation_id);

		const { json: told } = JSON.parse(JSON.stringify(preview.items[0])) as { json: IDataObject };
		expect(told).toMatchObject({ ready: true, missing: '', problems: '' });
		expect(told.text).toBe(shownText(shown));

		const post = tenant.sent().find(({ path }) => path.endsWith('/send-template'));
		const body = JSON.parse(post?.body ?? '{}') as IDataObject;
		const withoutUpload = items
			? {
					...body,
					template_components: JSON.parse(
						JSON.stringify(body.template_components).replace(/"link":"[^"]+"/, '"link":null'),
					) as IDataObject[],
				}
			: body;
		expect(unsigned(told.request)).toEqual(unsigned(withoutUpload));
	});
});
