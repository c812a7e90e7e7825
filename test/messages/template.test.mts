import {
	templateParts,
	type TemplateRecord,
	variablesOfParts,
} from '../../nodes/CustomerMessaging/messages/template/templateParts.ts';
import {
	templateLanguage,
	templateName,
} from '../../nodes/CustomerMessaging/messages/template/templateChoice.ts';
import {
	componentsOf,
	type MediaResolver,
	VARIABLE,
} from '../../nodes/CustomerMessaging/messages/template/variables.ts';

/** The variables that the form of a template has. */
function formVariables(template: TemplateRecord) {
	const parts = templateParts(template);
	return parts && variablesOfParts(parts);
}

const media: MediaResolver = async (_kind, value) =>
	value.startsWith('http')
		? { link: value }
		: { link: `https://files.example/${value}`, filename: `${value}.pdf` };

describe('what the form holds is what is sent', () => {
	test.each<[string, Record<string, string>, string]>([
		['no variables', {}, '[]'],
		[
			'a positional body, in order, whatever order it was filled in',
			{ body_10: 'j', body_2: 'b', body_1: 'a' },
			'[{"type":"body","parameters":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"text","text":"j"}]}]',
		],
		[
			'a named body',
			{ body_first_name: 'Jo', body_shop_name: 'Shop' },
			'[{"type":"body","parameters":[{"type":"text","parameter_name":"first_name","text":"Jo"},{"type":"text","parameter_name":"shop_name","text":"Shop"}]}]',
		],
		[
			'a header text by place',
			{ header_text_1: 'Sale' },
			'[{"type":"header","parameters":[{"type":"text","text":"Sale"}]}]',
		],
		[
			'a header text by name',
			{ header_text_first_name: 'Jo' },
			'[{"type":"header","parameters":[{"type":"text","parameter_name":"first_name","text":"Jo"}]}]',
		],
		[
			'a header image',
			{ header_image: 'https://a.example/p.jpg' },
			'[{"type":"header","parameters":[{"type":"image","image":{"link":"https://a.example/p.jpg"}}]}]',
		],
		[
			'a header document with the name of its file',
			{ header_document: 'terms' },
			'[{"type":"header","parameters":[{"type":"document","document":{"link":"https://files.example/terms","filename":"terms.pdf"}}]}]',
		],
		[
			'a header document with a name of its own',
			{ header_document: 'https://a.example/x', header_document_filename: 'Invoice.pdf' },
			'[{"type":"header","parameters":[{"type":"document","document":{"link":"https://a.example/x","filename":"Invoice.pdf"}}]}]',
		],
		[
			'a header location',
			{ header_location_latitude: '52.52', header_location_longitude: '13.4', header_location_name: 'Shop' },
			'[{"type":"header","parameters":[{"type":"location","location":{"latitude":"52.52","longitude":"13.4","name":"Shop"}}]}]',
		],
		[
			'a URL button',
			{ button_0_url: 'A-1001' },
			'[{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"A-1001"}]}]',
		],
		[
			'a quick reply',
			{ button_1_quick_reply: 'yes' },
			'[{"type":"button","sub_type":"quick_reply","index":"1","parameters":[{"type":"payload","payload":"yes"}]}]',
		],
		[
			'a code to copy',
			{ button_0_copy_code: 'HELLO10' },
			'[{"type":"button","sub_type":"copy_code","index":"0","parameters":[{"type":"coupon_code","coupon_code":"HELLO10"}]}]',
		],
		[
			'a flow',
			{ button_2_flow: 'token-1' },
			'[{"type":"button","sub_type":"flow","index":"2","parameters":[{"type":"action","action":{"flow_token":"token-1"}}]}]',
		],
		[
			'all parts, header before body before buttons',
			{ button_1_quick_reply: 'q', button_0_url: 'u', body_1: 'b', header_text_1: 'h' },
			'[{"type":"header","parameters":[{"type":"text","text":"h"}]},{"type":"body","parameters":[{"type":"text","text":"b"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"u"}]},{"type":"button","sub_type":"quick_reply","index":"1","parameters":[{"type":"payload","payload":"q"}]}]',
		],
	])('%s', async (_, values, bytes) => {
		expect(JSON.stringify(await componentsOf(new Map(Object.entries(values)), media))).toBe(bytes);
	});
});

describe('reading a template record', () => {
	const body = {
		type: 'BODY',
		text: 'Hi {{first_name}}, your order {{1}} comes on {{ 2 }}. Bye {{first_name}}!',
	};
	const ids = ['body_first_name', 'body_1', 'body_2'];
	const read = (template: Record<string, unknown>) =>
		formVariables(template as never)?.map(({ name }) => name);

	test.each<[string, Record<string, unknown>]>([
		['a list', { components: [body] }],
		['lower case', { components: [{ ...body, type: 'body' }] }],
	])('finds the variables in %s', (_, template) => {
		expect(read(template)).toEqual(ids);
	});

	it('labels each with the words around it, and knows its sentence', () => {
		const sentence = 'Hi {{first_name}}, your order {{1}} comes on {{ 2 }}.';
		const found = formVariables({ components: [body] } as never);
		expect(found?.map(({ label, about }) => [label, about])).toEqual([
			['Hi {{first_name}}, your ord…', `The value for {{first_name}} in "${sentence}"`],
			['your order {{1}} comes on…', `The value for {{1}} in "${sentence}"`],
			['comes on {{ 2 }}.', `The value for {{ 2 }} in "${sentence}"`],
		]);
	});

	const labelsOf = (text: string, ...buttons: object[]) =>
		formVariables({
			components: [
				{ type: 'BODY', text },
				{ type: 'BUTTONS', buttons },
			],
		})?.map(({ label }) => label);

	test.each<[what: string, labels: string[] | undefined, expected: string[]]>([
		['words after a variable that begins a sentence', labelsOf('{{1}}, welcome!'), ['{{1}}, welcome!']],
		['no words of another sentence', labelsOf('Hello!\n{{1}}'), ['{{1}}']],
		['no words of another variable', labelsOf('{{1}} {{2}}'), ['{{1}}…', '{{2}}']],
		['words in any script', labelsOf('Ваш заказ {{1}}'), ['Ваш заказ {{1}}']],
		['a part of a long word', labelsOf('Überweisungsauftragsnummer {{1}}'), ['…sauftragsnummer {{1}}']],
		[
			'the beginning of a long name',
			labelsOf('Hi {{name_of_the_customer_s_dog}}'),
			['Hi {{name_of_the_customer_s…'],
		],
		[
			'a number where names are alike',
			labelsOf('{{name_of_the_customer_s_dog_a}} {{name_of_the_customer_s_dog_b}}'),
			['{{name_of_the_customer_s_do…', '{{name_of_the_customer_s_… 2'],
		],
		[
			'the text of a button',
			labelsOf('', { type: 'URL', text: 'Track parcel', url: 'https://a.example/{{1}}' }),
			['Track parcel · URL suffix'],
		],
		[
			'a number where an AI agent could not tell buttons apart',
			labelsOf(
				'',
				{ type: 'QUICK_REPLY', text: 'はい' },
				{ type: 'QUICK_REPLY', text: 'いいえ' },
				{ type: 'QUICK_REPLY', text: '?' },
			),
			['はい · Value', 'いいえ · Value 2', '? · Value 3'],
		],
	])('a label holds %s', (_what, labels, expected) => {
		expect(labels).toEqual(expected);
	});

	it('labels of long templates are short and different, also as the names that n8n gives an AI agent', () => {
		const words = Array.from({ length: 400 }, (_, index) => `word${'x'.repeat(index % 30)} {{${index + 1}}}`);
		const labels = labelsOf(words.join('. '));
		const keys = labels?.map((label) => label.replace(/[^a-zA-Z0-9-]+/g, '_'));
		expect(new Set(keys).size).toBe(400);
		expect(Math.max(...(labels ?? []).map(({ length }) => length))).toBeLessThanOrEqual(28);
		expect(keys?.every((key, index) => key.includes(`_${index + 1}_`))).toBe(true);
	});

	it('a sentence is cut, and never longer than an error message', () => {
		const [{ about = '' } = {}] =
			formVariables({
				components: [{ type: 'BODY', text: `${'a '.repeat(5000)}{{1}}${' b'.repeat(5000)}` }],
			}) ?? [];
		expect(about).toMatch(/^The value for \{\{1\}\} in "…(a )+\{\{1\}\}( b)+…"$/);
		expect(about.length).toBeLessThan(400);
	});

	test.each([
		['IMAGE', ['header_image']],
		['video', ['header_video']],
		['DOCUMENT', ['header_document', 'header_document_filename']],
		[
			'LOCATION',
			[
				'header_location_latitude',
				'header_location_longitude',
				'header_location_name',
				'header_location_address',
			],
		],
	])('a header of format %s', (format, expected) => {
		expect(read({ components: [{ type: 'HEADER', format }] })).toEqual(expected);
	});

	it('buttons are counted as they stand, and only those with a variable are asked for', () => {
		const buttons = [
			{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+1' },
			{ type: 'URL', text: 'Home', url: 'https://a.example' },
			{ type: 'URL', text: 'Track', url: 'https://a.example/{{1}}' },
			{ type: 'QUICK_REPLY', text: 'Yes' },
			{ type: 'COPY_CODE', text: 'Copy' },
			{ type: 'FLOW', text: 'Book' },
		];
		const found = formVariables({ components: [{ type: 'BUTTONS', buttons }] } as never);
		expect(found?.map(({ name, label, about, required }) => [name, label, about, required])).toEqual([
			[
				'button_2_url',
				'Track · URL suffix',
				'URL suffix of button 3 "Track" (https://a.example/{{1}})',
				true,
			],
			['button_3_quick_reply', 'Yes · Value', 'Value of button 4 "Yes"', false],
			['button_4_copy_code', 'Copy · Code', 'Code of button 5 "Copy"', true],
			['button_5_flow', 'Book · Flow token', 'Flow token of button 6 "Book"', false],
		]);
	});

	it('a template without variables has none, one that shows no components is not guessed at', () => {
		expect(read({ components: [{ type: 'BODY', text: 'Hello' }] })).toEqual([]);
		expect(read({ name: 'x' })).toBeUndefined();
		expect(read({ components: 'no JSON' })).toBeUndefined();
	});

	it('knows names and languages under several names', () => {
		expect(templateName({ template_name: 'a' })).toBe('a');
		for (const name of ['language', 'template_language'])
			expect(templateLanguage({ [name]: 'en_US' })).toBe('en_US');
	});
});

describe('the name of a variable in saved workflows', () => {
	test.each([
		...['body_1', 'body_first_name', 'body_text_1', 'header_text_1', 'header_text_image', 'header_image'],
		...['header_video', 'header_document', 'header_document_filename', 'header_location_latitude'],
		...['header_location_place_name', 'button_0_url', 'button_12_quick_reply', 'button_1_copy_code'],
		'button_2_flow',
	])('%s is one', (name) => {
		expect(VARIABLE.test(name)).toBe(true);
	});

	test.each([
		...['', 'body', 'body_', 'footer_1', 'header', 'header_text', 'header_audio', 'button_0'],
		...['button_x_url', 'button_0_call', 'button_0_constructor'],
	])('%j is none', (name) => {
		expect(VARIABLE.test(name)).toBe(false);
	});
});
