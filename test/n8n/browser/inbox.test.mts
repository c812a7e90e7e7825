import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { seed } from '../../../sandbox/control/seed.mts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.mts';
import { until } from '../../sandbox/tenant.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import { launchChromium, newContext } from './chromium.mts';
import { Complaints, keepPicture, untilLive, type View, visitInbox } from './inbox.mts';

let browser: Browser;
let sandbox: Sandbox;
let receiver: Server;
let page: Page;
const complaints = new Complaints();

beforeAll(async () => {
	browser = await launchChromium();
	sandbox = await startSandbox();
	receiver = createServer((request, response) => {
		response.statusCode = request.url === '/refuses' ? 500 : 200;
		request.resume().on('end', () => response.end('{"heard":true}'));
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	await browser?.close();
	await sandbox?.close();
	await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(async () => {
	await sandbox.reset();
	page = await open();
});
afterEach(async () => {
	await page.close();
	expect(complaints.end()).toEqual([]);
});

const open = async (view?: View): Promise<Page> =>
	await untilLive(await visitInbox(browser, `${sandbox.url}/`, complaints, view));

const hook = (path = '/hears') =>
	sandbox.registerWebhook({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}` });

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
	return (await asAdmin(sandbox).request<Record<string, unknown>>({ method, url: path, data: body })).data;
}

const say = (fields: object, conversation = 2001) =>
	call('POST', `/conversations/${conversation}/messages`, fields);
const sayText = (content: string, fields: object = {}) => say({ type: 'text', text: { content }, ...fields });

async function upload(
	type: string,
	mimeType: string,
	name: string,
	content: Uint8Array<ArrayBuffer>,
): Promise<string> {
	const form = new FormData();
	form.append('type', type);
	form.append('file', new Blob([content], { type: mimeType }), name);
	const { data } = await asAdmin(sandbox).post<{ internal_uuid: string }>('/files/temporary-upload', form);
	return data.internal_uuid;
}

/** Evaluates an expression in the page. */
const look = (expression: string): Promise<unknown> => page.evaluate(expression);
/** Waits until an expression is true in the page. */
const waitIn = (expression: string) =>
	until(async () => (await look(expression)) === true || undefined, `${expression} holds`);
const last = () => page.locator('.message').last();
const entries = () => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');

describe('what the page shows', () => {
	test('the latest conversation is open, as its customer sees it', async () => {
		await page.getByRole('heading', { name: 'Mira Example' }).waitFor();
		expect(await page.getByText('As Mira Example sees it, from Shop').count()).toBe(1);
		expect(await page.locator('.message').allInnerTexts()).toEqual([
			expect.stringContaining('Good news, Mira!'),
			expect.stringContaining('Can I change the delivery address?'),
			expect.stringContaining('Which address should it go to?'),
		]);
		expect(await page.locator('.message.mine').count()).toBe(1);
	});

	test('a template is filled in: header picture, body with placeholders applied, footer and buttons', async () => {
		await call('POST', '/chatapp/send-template', {
			customer_id: 101,
			template_name: 'order_shipped',
			template_language: 'de',
			template_components: [
				{
					type: 'header',
					parameters: [{ type: 'image', image: { id: sandbox.store.media.list()[0].internal_uuid } }],
				},
				{ type: 'body', parameters: ['%vorname%', 'A-7', 'Montag'].map((text) => ({ type: 'text', text })) },
				{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-7' }] },
			],
			placeholders: { '%vorname%': 'Mira' },
		});
		await last()
			.getByText('Gute Nachricht, Mira! Deine Bestellung A-7 ist unterwegs und kommt am Montag an.')
			.waitFor();
		expect(await last().innerText()).toMatch(/Mit STOP abbestellen[^]*Template order_shipped · de/);
		expect(await last().getByRole('link', { name: 'Paket verfolgen' }).getAttribute('href')).toBe(
			'https://shop.example/de/track/A-7',
		);
		const picture = last().locator('img');
		await picture.scrollIntoViewIfNeeded();
		await waitIn("document.querySelector('.message:last-child img').naturalWidth === 960");
	});

	test('media, places and contacts have previews', async () => {
		const png = new Uint8Array(
			await sharp({ create: { width: 300, height: 200, channels: 3, background: '#4477aa' } })
				.png()
				.toBuffer(),
		);
		const image = await upload('image', 'image/png', 'blue.png', png);
		await say({ type: 'image', image: { caption: 'All *blue*' }, file: { internal_uuid: image } });
		await last().getByRole('img', { name: 'All *blue*' }).waitFor();
		expect(await last().locator('strong').innerText()).toBe('blue');

		await say({
			type: 'video',
			file: { internal_uuid: await upload('video', 'video/mp4', 'v.mp4', new Uint8Array(9)) },
		});
		await last().locator('video').waitFor();
		await say({
			type: 'audio',
			audio: { voice: true },
			file: { internal_uuid: await upload('audio', 'audio/ogg', 'a.ogg', new Uint8Array(9)) },
		});
		await last().getByText('Voice message').waitFor();
		const file = await upload('document', 'application/pdf', 'list.pdf', new Uint8Array(20_000));
		await say({ type: 'document', document: { filename: 'prices.pdf' }, file: { internal_uuid: file } });
		await last().getByRole('link', { name: 'prices.pdf' }).waitFor();
		expect(await last().innerText()).toContain('application/pdf · 20 kB');
		await say({ type: 'location', location: { latitude: '52.52', longitude: '13.4', name: 'Shop' } });
		await last().getByText('52.52, 13.4').waitFor();
		await say({
			type: 'contact',
			contact: { name: { formatted_name: 'Sam Service' }, phones: [{ phone: '+49 30 1' }] },
		});
		await last().getByText('+49 30 1').waitFor();
	});

	test('a picture that cannot be loaded is said in words', async () => {
		await say({ type: 'image', file: { url: `${sandbox.url}/nothing.png` } });
		await last().getByText('The image cannot be shown here').waitFor();
		complaints.forgive(/status of 404/);
	});

	test('an answered message is quoted, a failed one says why', async () => {
		await sayText('To the old one?', { reference_id: 30_002 });
		await last().locator('blockquote', { hasText: 'Lovely, thank you!' }).waitFor();
		sandbox.store.clock.advance(25 * 3_600_000);
		await sayText('Are you still there?');
		await page.getByText('Not delivered: The customer has not written for too long.').waitFor();
		await page.getByText('Session expired').waitFor();
		await page.getByText('Clock 25 hours ahead').waitFor();
	});

	test('what was sent is never markup and never a script', async () => {
		const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
		await call('PATCH', '/profiles/102', { name: hostile, custom_2: hostile });
		await call('POST', '/profiles/102/tags', { tags: [{ title: hostile }] });
		await sayText(`${hostile} *${hostile}*`);
		await call('POST', '/templates', {
			name: 'hostile',
			language: 'de',
			components: [
				{ type: 'HEADER', format: 'IMAGE' },
				{ type: 'BODY', text: hostile },
				{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Tap', url: 'javascript:document.title=3' }] },
			],
		});
		await call('POST', '/chatapp/send-template', {
			customer_id: 101,
			template_name: 'hostile',
			template_language: 'de',
			template_components: [
				{ type: 'header', parameters: [{ type: 'image', image: { link: 'javascript:document.title=4' } }] },
			],
		});
		await last().getByText('Tap').waitFor();
		await page.getByRole('heading', { name: hostile }).waitFor();
		expect(await page.title()).toBe('Sandbox inbox');
		expect(await page.locator('.message script, .message [onerror], a[href^="javascript"]').count()).toBe(0);
	});

	test('profile, consent, tags and groups stand beside the conversation', async () => {
		const aside = page.getByRole('region', { name: 'Customer and deliveries' });
		expect(await aside.innerText()).toMatch(/\+491700000001[^]*mira@mail\.example[^]*1990-04-12/);
		await aside.getByText('Opted in to marketing').waitFor();
		expect(await aside.locator('.tags li').allInnerTexts()).toEqual(['Newsletter', 'VIP']);
		expect(await aside.locator('.groups li').allInnerTexts()).toEqual(['Regulars']);
	});
});

describe('live', () => {
	test('a message that is sent meanwhile appears, and its conversation moves to the top', async () => {
		await call('POST', '/chatapp/send-template', {
			phone_number: 4_915_112_345_678,
			customer_name: 'Nia New',
			template_name: 'opening_hours',
			template_language: 'en_US',
		});
		await entries().first().getByText('Nia New').waitFor();
		await sayText('Here I am again');
		await page.getByRole('log').getByText('Here I am again').waitFor();
		await entries().first().getByText('Mira Example').waitFor();
	});

	test('changes of tags, groups and consent appear', async () => {
		const aside = page.getByRole('region', { name: 'Customer and deliveries' });
		await call('POST', '/profiles/102/marketing-opt-in', { opt_in: false });
		await aside.getByText('Not opted in to marketing').waitFor();
		await call('POST', '/profiles/102/tags', { tags: [{ title: 'Brand new' }] });
		await aside.getByText('Brand new').waitFor();
		await call('POST', '/profiles/102/groups', { groups: [] });
		await waitIn("document.querySelector('.groups') === null");
	});

	test('deliveries appear with the answers of their receivers, and can be repeated', async () => {
		hook();
		hook('/refuses');
		await sayText('Automatic', { from_automation: true });
		const deliveries = page.getByRole('region', { name: 'Webhook deliveries' });
		await deliveries.getByText('200', { exact: true }).waitFor();
		const refused = deliveries.getByRole('listitem').filter({ hasText: '/refuses' });
		await refused.getByText('500', { exact: true }).click();
		await refused.getByText('{"heard":true}').waitFor();
		expect(await refused.locator('pre').last().innerText()).toContain('"event": "new-agent-message"');
		await refused.getByRole('button', { name: 'Deliver again' }).click();
		await deliveries.getByText('try 2').waitFor();
		expect(await deliveries.getByRole('listitem').count()).toBe(3);
		await page.getByText('2 webhooks').waitFor();
	});

	test('the focus stays at a delivery that is repeated by keyboard, while the new one comes', async () => {
		hook();
		await sayText('Automatic', { from_automation: true });
		const deliveries = page.getByRole('region', { name: 'Webhook deliveries' });
		await deliveries.getByText('200', { exact: true }).click();
		const again = deliveries.getByRole('button', { name: 'Deliver again' });
		await again.focus();
		await page.keyboard.press('Enter');
		await deliveries.getByText('try 2').waitFor();
		await deliveries.getByText('200', { exact: true }).nth(1).waitFor();
		expect(await again.evaluate((button) => button === document.activeElement)).toBe(true);
	});

	test('the reader can write as the customer', async () => {
		await page.getByRole('textbox', { name: 'Write as the customer' }).fill('To the office, please');
		await page.keyboard.press('Enter');
		await page.locator('.message.mine', { hasText: 'To the office, please' }).waitFor();
		expect(sandbox.store.conversations.lastMessage(2001)).toMatchObject({
			from: 'customer',
			status: 'received',
		});
	});

	test('a new message keeps the reader at the end, but not one who has scrolled up, however little', async () => {
		for (let index = 0; index < 8; index++) await sayText(`Line ${index}\n\n\n`);
		await last().getByText('Line 7').waitFor();
		const fromEnd =
			"(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.getElementById('log'))";
		await waitIn(`${fromEnd} < 5`);
		await page.getByRole('log').hover();
		await page.mouse.wheel(0, -40);
		await waitIn(`${fromEnd} > 30`);
		await sayText('A little below');
		await last().getByText('A little below').waitFor();
		expect(await look(fromEnd)).toBeGreaterThan(60);
		await page.mouse.wheel(0, 5000);
		await waitIn(`${fromEnd} < 5`);
		await page.mouse.wheel(0, -5000);
		await waitIn("document.getElementById('log').scrollTop === 0");
		await sayText('One more');
		await last().getByText('One more').waitFor();
		expect(await look(fromEnd)).toBeGreaterThan(100);
	});

	test('a reset shows the demo data again', async () => {
		await sayText('Soon forgotten');
		await page.getByRole('log').getByText('Soon forgotten').waitFor();
		await sandbox.reset();
		await waitIn("document.querySelectorAll('.message').length === 3");
	});

	test('an interruption is shown, and what was missed is caught up', async () => {
		const { port } = new URL(sandbox.url);
		await sandbox.close();
		await page.getByText('Reconnecting…').waitFor();
		sandbox = await startSandbox({ port: Number(port) });
		await sayText('After the break');
		await page.getByRole('log').getByText('After the break').waitFor();
		await page.getByText('Live', { exact: true }).waitFor();
		complaints.forgive(/ERR_|fetch/);
	});
});

describe('with a control token', () => {
	test('the printed link opens the inbox, and without it the page says what is missing', async () => {
		const open = await startSandbox({ controlToken: 'a-token-of-the-tests' });
		const context = await newContext(browser);
		const visit = await context.newPage();
		await visit.goto(`${open.url}/`);
		await visit.getByText('The control token is missing or wrong.').waitFor();
		await visit.goto(`${open.url}/?token=${open.controlToken}`);
		await visit.getByText('Live', { exact: true }).waitFor();
		await visit.locator('.message').first().waitFor();
		expect(visit.url()).not.toContain('token');
		await visit.getByRole('textbox', { name: 'Write as the customer' }).fill('With the cookie');
		await visit.keyboard.press('Enter');
		await visit.locator('.message.mine', { hasText: 'With the cookie' }).waitFor();
		await context.close();
		await open.close();
	});
});

describe('a page of another origin', () => {
	test('neither reads nor changes the sandbox, also where it hides its origin', async () => {
		const context = await newContext(browser);
		const visit = await context.newPage();
		await visit.goto(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
		await sayText('Stays');
		const before = sandbox.store.conversations.messages(2001);
		for (const init of ['{}', "{ method: 'POST', mode: 'no-cors' }"]) {
			const path = init === '{}' ? '/sandbox' : '/sandbox/reset';
			const attack = `fetch('${sandbox.url}${path}', ${init}).then(() => 'read', () => 'refused')`;
			expect(await visit.evaluate(attack)).toBe('refused');
		}
		// A frame without an origin of its own, which sends a form.
		// Chromium may run such a frame in a process of its own, of whose requests only the console tells.
		const answer = visit.waitForEvent('console', (message) => message.text().includes('status of '));
		await visit.evaluate(`
			const frame = document.createElement('iframe');
			frame.sandbox = 'allow-scripts allow-forms';
			frame.srcdoc = '<form method="post" enctype="text/plain" action="${sandbox.url}/sandbox/reset"></form>' +
				'<script>document.forms[0].submit()</' + 'script>';
			document.body.append(frame);
		`);
		const refused = await answer;
		expect(refused.text()).toContain('403');
		expect(refused.location().url).toBe(`${sandbox.url}/sandbox/reset`);
		await context.close();
		expect(sandbox.store.conversations.messages(2001)).toEqual(before);
	});
});

describe('for everybody', () => {
	test('landmarks, headings and names are there for screen readers', async () => {
		for (const [role, name] of [
			['banner', undefined],
			['navigation', 'Conversations'],
			['main', 'Mira Example'],
			['region', 'Customer and deliveries'],
			['region', 'Profile'],
			['region', 'Webhook deliveries'],
			['log', 'Messages, oldest first'],
			['searchbox', 'Search conversations by name or number'],
			['textbox', 'Write as the customer'],
		] as const) {
			expect([role, name, await page.getByRole(role, { name, exact: true }).count()]).toEqual([
				role,
				name,
				1,
			]);
		}
		expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Sandbox inbox');
		const nameless = await look(
			"[...document.querySelectorAll('a, button, input')].filter((node) => !node.textContent.trim() && !node.labels?.length).map((node) => node.outerHTML)",
		);
		expect(nameless).toEqual([]);
	});

	test('everything works from the keyboard', async () => {
		seed(sandbox.store, { profiles: 5, conversations: 5 });
		sandbox.tenant.events.emit('reset');
		await waitIn("document.querySelectorAll('#conversations a').length === 6");
		await page.keyboard.press('Tab');
		expect(await look('document.activeElement.textContent')).toBe('Skip to the conversation');
		await page.keyboard.press('Tab');
		expect(await look('document.activeElement.textContent.trim()')).toBe('Tools');
		await page.keyboard.press('Tab');
		expect(await look('document.activeElement.id')).toBe('search');
		await page.keyboard.press('Tab');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		const name = String(await look("document.activeElement.querySelector('strong').textContent"));
		await page.keyboard.press('Enter');
		await page.getByRole('main', { name }).waitFor();
		expect(await entries().and(page.locator('[aria-current=page]')).count()).toBe(1);
		const before = await look('document.activeElement.dataset.id');
		await sayText('Meanwhile elsewhere');
		await entries().first().getByText('Meanwhile elsewhere').waitFor();
		expect(await look('document.activeElement.dataset.id')).toBe(before);
	});

	test('conversations are found by name or number', async () => {
		seed(sandbox.store, { profiles: 120, conversations: 120 });
		sandbox.tenant.events.emit('reset');
		await waitIn("document.querySelectorAll('#conversations a').length === 50");
		await page.getByRole('button', { name: 'Show more' }).click();
		await waitIn("document.querySelectorAll('#conversations a').length === 100");
		await page.getByRole('searchbox').fill('mira exa');
		await waitIn("document.querySelectorAll('#conversations a').length === 1");
		await page.getByRole('searchbox').fill('4915200000119');
		await waitIn("document.querySelector('#conversations strong')?.textContent !== 'Mira Example'");
		await page.getByRole('searchbox').fill('nobody at all');
		await page.getByText('No conversations').waitFor();
	});

	test.each(['light', 'dark'] as const)('every text has enough contrast in %s colours', async (scheme) => {
		await page.close();
		hook();
		hook('/refuses');
		await sayText('Automatic', { from_automation: true, reference_id: 30_002 });
		await sandbox.deliveriesSettled();
		sandbox.store.clock.advance(30 * 3_600_000);
		await sayText('Late');
		page = await open({ colorScheme: scheme });
		await page.getByText('Not delivered').waitFor();
		const poor = await look(readFileSync(join(import.meta.dirname, 'poorContrast.browser.js'), 'utf8'));
		expect(poor).toEqual([]);
	});

	/** Long words everywhere: an address of a message, and one of a webhook. */
	const withLongWords = async () => {
		hook(`/${'long'.repeat(60)}`);
		await sayText(`https://shop.example/${'x'.repeat(300)}`, { from_automation: true });
		await sandbox.deliveriesSettled();
	};
	const sticksOut = async () => await look('document.documentElement.scrollWidth - innerWidth > 0');

	test('nothing sticks out at a width of 900', async () => {
		await page.close();
		await withLongWords();
		page = await open({ width: 900 });
		await page.locator('#deliveries summary').first().click();
		expect(await sticksOut()).toBe(false);
	});

	test('on a phone, the list, the conversation and its customer are shown one at a time, by keyboard too', async () => {
		await withLongWords();
		await page.setViewportSize({ width: 390, height: 844 });
		const panes = {
			list: page.getByRole('navigation', { name: 'Conversations' }),
			conversation: page.getByRole('log'),
			details: page.getByRole('region', { name: 'Customer and deliveries' }),
		};
		const untilAlone = async (name: keyof typeof panes) => {
			await panes[name].waitFor();
			for (const [other, pane] of Object.entries(panes)) {
				expect([other, await pane.isVisible()]).toEqual([other, other === name]);
			}
			expect(await page.getByRole('main').count()).toBe(1);
			expect(await sticksOut()).toBe(false);
			if (process.env.PICTURES)
				await page.screenshot({ path: join(process.env.PICTURES, `phone-${name}.png`) });
		};
		await untilAlone('list');
		await entries().first().click();
		await untilAlone('conversation');
		const box = await page.getByRole('textbox', { name: 'Write as the customer' }).boundingBox();
		expect(box && box.y > 600 && box.y + box.height <= 844).toBe(true);
		await page.getByRole('button', { name: 'Customer', exact: true }).press('Enter');
		await untilAlone('details');
		expect(await look('document.activeElement.id')).toBe('details');
		await page.locator('#deliveries summary').first().click();
		expect(await sticksOut()).toBe(false);
		await page.getByRole('button', { name: 'Back to the conversation' }).press('Enter');
		await untilAlone('conversation');
		await page.getByRole('button', { name: 'Conversations', exact: true }).press('Enter');
		await untilAlone('list');
	});

	test('web addresses in messages are links, which tell the other page nothing', async () => {
		await sayText(
			'See https://shop.example/a_b?c=1&d=(2), (*https://shop.example/bold*). Or javascript:alert(1)',
		);
		await last().getByText('Or javascript').waitFor();
		const links = last().locator('.text a');
		expect(
			await links.evaluateAll((all) =>
				all.map((link) => ['href', 'target', 'rel'].map((name) => link.getAttribute(name))),
			),
		).toEqual(
			['https://shop.example/a_b?c=1&d=(2)', 'https://shop.example/bold'].map((address) => [
				address,
				'_blank',
				'noopener noreferrer',
			]),
		);
	});

	const pictureForReadme = async () => {
		seed(sandbox.store, { profiles: 9, conversations: 8 });
		hook('/webhook');
		hook('/refuses');
		const named = (parameter_name: string, text: string) => ({ type: 'text', parameter_name, text });
		await sayText('Great, we will bring it there.', { reference_id: 30_002 });
		await call('POST', '/chatapp/send-template', {
			customer_id: 101,
			template_name: 'welcome',
			template_language: 'en_US',
			template_components: [
				{ type: 'header', parameters: [named('first_name', 'Mira')] },
				{ type: 'body', parameters: [named('shop_name', 'Sunset Parcels'), named('first_name', 'Mira')] },
				{
					type: 'button',
					sub_type: 'copy_code',
					index: 0,
					parameters: [{ type: 'coupon_code', coupon_code: 'SUNSET10' }],
				},
			],
			from_automation: true,
		});
		await sandbox.deliveriesSettled();
		await page.close();
		page = await open({ height: 1120 });
		await page.getByRole('img', { name: 'Image' }).waitFor();
		await keepPicture(page, 'sandbox-inbox.png');
	};
	// No test: it makes the picture anew, when asked to.
	if (process.env.SCREENSHOTS) test('the picture for the README', pictureForReadme);
});
