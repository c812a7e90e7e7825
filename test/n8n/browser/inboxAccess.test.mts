import type { Locator, Page } from 'playwright-core';
import { startTenant, type TestTenant, until } from '../../sandbox/tenant.mts';
import { inboxInThisFile } from './inbox.mts';

let tenant: TestTenant;
let page: Page;
const { complaints, open } = inboxInThisFile({ tenants: ['globex'] }, (visit) => ({ tenant, page } = visit));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const log = () => page.getByRole('log');
const composer = () => page.getByRole('textbox', { name: 'Write as the customer' });
const deliveries = () => page.getByRole('region', { name: 'Webhook deliveries' });
const conversations = () => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');

async function openTool(name: string): Promise<Locator> {
	await button('Tools').click();
	await page.getByRole('tab', { name }).click();
	return page.getByRole('tabpanel', { name });
}
const holds = (expression: string) =>
	until(async () => (await page.evaluate(expression)) === true || undefined, `${expression} holds`);
const say = (content: string, fields: object = {}) =>
	tenant.must('POST', '/conversations/2001/messages', { type: 'text', text: { content }, ...fields });

/** Opens the conversation of a customer who is no part of the demo data. */
async function openNia(): Promise<void> {
	await tenant.must('POST', '/chatapp/send-template', {
		phone_number: 4_915_112_345_678,
		customer_name: 'Nia New',
		template_name: 'opening_hours',
		template_language: 'en_US',
	});
	await page.getByRole('link', { name: /Nia New/ }).click();
	await page.getByRole('main', { name: 'Nia New' }).waitFor();
}

describe('the focus goes on from what is taken away', () => {
	/** What has the focus, after this has taken away what had it. */
	async function focusedAfter(target: Locator, takeAway: () => Promise<unknown>): Promise<string> {
		await target.focus();
		await takeAway();
		await target.waitFor({ state: 'hidden' });
		await holds('document.activeElement !== document.body');
		return await page.evaluate('document.activeElement.textContent.trim()');
	}

	test('a request that falls out of the list', async () => {
		await tenant.ask('GET', '/groups');
		const panel = await openTool('Requests');
		const more = async () => await Promise.all(Array.from({ length: 200 }, () => tenant.ask('GET', '/tags')));
		const row = panel.locator('summary', { hasText: '/groups' });
		expect(await focusedAfter(row, more)).toContain('GET /tags');
	});

	test('requests that a program clears', async () => {
		await tenant.ask('GET', '/me');
		const panel = await openTool('Requests');
		const clear = () => tenant.control('DELETE', '/requests');
		await focusedAfter(panel.locator('summary'), clear);
		expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(
			'Requests, newest first',
		);
	});

	test('a snapshot that a program deletes, also while its question is open', async () => {
		for (const name of ['first', 'second']) tenant.saveSnapshot(name);
		await openTool('Data');
		const remove = (name: string) => () => tenant.control('DELETE', `/snapshots/${name}`);
		await focusedAfter(button('Load first'), remove('first'));
		expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Load second');
		await button('Load second').click();
		await page.getByRole('alertdialog').waitFor();
		await remove('second')();
		await button('Load second').waitFor({ state: 'detached' });
		await page.keyboard.press('Escape');
		await holds("document.activeElement.textContent === 'Data'");
	});

	test('faults that a program removes', async () => {
		for (const kind of ['html', 'truncate']) await tenant.control('POST', '/faults', { kind });
		await openTool('Faults');
		const remove = page.getByRole('button', { name: /^Remove: HTML/ });
		await focusedAfter(remove, () => tenant.control('DELETE', `/faults/${tenant.faults.list()[0].id}`));
		expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toContain(
			'Half of the JSON',
		);
	});

	test('deliveries and conversations that a reset deletes', async () => {
		tenant.registerWebhook({ url: `${tenant.url}/hears` });
		await say('Automatic', { from_automation: true });
		const reset = () => tenant.control('POST', '/reset');
		expect(await focusedAfter(deliveries().locator('summary'), reset)).toBe('Webhook deliveries');
		await openNia();
		const link = page.getByRole('link', { name: /Nia New/ });
		expect(await focusedAfter(link, reset)).toContain('Mira Example');
		complaints.forgive(/status of 404/);
	});

	test('“Show more”, where there is no more', async () => {
		await tenant.control('POST', '/seed', { profiles: 60, conversations: 60 });
		await button('Show more').waitFor();
		const last = await focusedAfter(button('Show more'), () => page.keyboard.press('Enter'));
		expect(last).toBe((await conversations().last().innerText()).replaceAll('\n', ''));
	});
});

describe('what a screen reader hears', () => {
	/** Writes down from now on what comes into regions that are read out. */
	const listenIn = async () => {
		await holds("document.getElementById('log').ariaBusy === 'false'");
		await page.evaluate(`
			window.heard = [];
			new MutationObserver((changes) => {
				for (const { target, addedNodes } of changes) {
					const region = target.closest('[role=status], [role=alert], [role=log]');
					if (region && region.ariaBusy !== 'true') heard.push(...[...addedNodes].map((node) => node.textContent));
				}
			}).observe(document.body, { subtree: true, childList: true });
		`);
	};
	const heard = (): Promise<string[]> => page.evaluate('heard.filter(Boolean)');

	test('a new message alone, and of its later statuses no word of the conversation again', async () => {
		await listenIn();
		await say('Brand new');
		await log().getByText('Brand new').waitFor();
		expect(await heard()).toEqual([expect.stringContaining('Brand new')]);
		const id = tenant.store.conversations.lastMessage(2001)?.id;
		await tenant.control('POST', `/messages/${id}/status`, { status: 'read' });
		await page.locator('.message').last().getByText('read', { exact: true }).waitFor();
		await tenant.control('POST', `/messages/${id}/status`, { status: 'failed', message: 'No such number.' });
		await log().getByText('Not delivered: No such number.').waitFor();
		expect((await heard()).slice(1)).toEqual(['read', 'failed', 'Not delivered: No such number.']);
		expect(await log().getAttribute('aria-relevant')).toBe('additions');
	});

	test('nothing of another conversation that is opened, and what is new in it', async () => {
		await listenIn();
		await openNia();
		await log().getByText('We are open').waitFor();
		expect(await heard()).toEqual([]);
		await holds("document.getElementById('log').ariaBusy === 'false'");
		const id = await page.evaluate<string>('location.hash.slice(1)');
		await tenant.control('POST', `/conversations/${id}/customer-messages`, { text: 'Thank you' });
		await log().getByText('Thank you').waitFor();
		expect(await heard()).toEqual([expect.stringContaining('Thank you')]);
	});

	test('that a webhook was delivered again', async () => {
		tenant.registerWebhook({ url: `${tenant.url}/hears` });
		await say('Automatic', { from_automation: true });
		await deliveries().locator('summary').click();
		await button('Deliver again').click();
		await deliveries()
			.getByRole('status')
			.filter({ hasText: `Sent to ${tenant.url}/hears again.` })
			.waitFor();
	});
});

describe('what is written', () => {
	test('to one customer is not sent to another one, and is there again', async () => {
		await openNia();
		await composer().fill('For Nia alone');
		await page.getByRole('link', { name: /Mira Example/ }).click();
		await page.getByRole('main', { name: 'Mira Example' }).waitFor();
		expect(await composer().inputValue()).toBe('');
		await page.getByRole('link', { name: /Nia New/ }).click();
		await page.getByRole('main', { name: 'Nia New' }).waitFor();
		expect(await composer().inputValue()).toBe('For Nia alone');
	});

	test('is gone with its customer, and stays over a reset with one who stays', async () => {
		await openNia();
		await composer().fill('For Nia alone');
		await tenant.control('POST', '/reset');
		await page.getByRole('main', { name: 'Mira Example' }).waitFor();
		complaints.forgive(/status of 404/);
		expect(await page.evaluate('document.activeElement.id')).toBe('conversation');
		await page.keyboard.press('Enter');
		expect(await composer().inputValue()).toBe('');
		await composer().fill('Half a sen');
		await tenant.control('POST', '/reset');
		await say('Meanwhile');
		await log().getByText('Meanwhile').waitFor();
		await page.keyboard.type('tence');
		expect(await composer().inputValue()).toBe('Half a sentence');
	});

	test('is kept where it cannot be sent, and the reason stands at the field', async () => {
		const other = await startTenant();
		await page.close();
		page = await open(other.url);
		complaints.forgive(/ERR_/);
		await other.close();
		await page.getByText('Reconnecting…').waitFor();
		await composer().fill('Keep me');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').filter({ hasText: 'Not sent: The sandbox does not answer.' }).waitFor();
		expect(await composer().inputValue()).toBe('Keep me');
		expect(await composer().getAttribute('aria-invalid')).toBe('true');
		expect(await composer().getAttribute('aria-describedby')).toBe('unsent');
	});

	test.each([
		['Faults', 'Delay in milliseconds', '-1'],
		['Faults', 'Times', '0'],
		['Faults', 'Path', 'tags'],
		['Faults', 'Path', '/third-party/v1/tags'],
		['Clock', 'Date and time, in your time zone', '12345-01-01T00:00'],
		['Clock', 'Amount', '1e15'],
		['Data', 'How many', '1.5'],
		['Data', 'With a conversation', '-1'],
	])('%s: what is wrong about %s = %s is said in words for people', async (tab, name, value) => {
		await openTool(tab);
		if (name === 'Path') await page.getByText('More conditions').click();
		const field = page.getByLabel(name, { exact: true });
		await field.fill(value);
		await page.keyboard.press('Enter');
		const error = page.locator('.field', { has: field }).locator('.error');
		await error.waitFor();
		expect(await error.innerText()).toMatch(/^[A-Z][^<>=_]+\.$/);
		// The others are not even sent.
		if (name === 'Amount') complaints.forgive(/status of 422/);
	});
});

describe('what it looks like', () => {
	test.each(['closed', 'Requests', 'Faults', 'Clock', 'Data'])(
		'%s: nothing sticks out at 320 pixels, nor with letters of twice the size',
		async (tool) => {
			if (tool !== 'closed') await openTool(tool);
			for (const [width, size] of [
				[320, 16],
				[390, 32],
				[1280, 32],
			]) {
				await page.setViewportSize({ width, height: 800 });
				const session = await page.context().newCDPSession(page);
				await session.send('Page.setFontSizes', { fontSizes: { standard: size } });
				await holds(
					`getComputedStyle(document.querySelector('.message')).fontSize === '${(size * 15) / 16}px'`,
				);
				const out = await page.evaluate(`
					[...document.querySelectorAll('body *')]
						.filter((element) => element.checkVisibility() && !element.closest('.hidden, .skip, .preview, pre'))
						.filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
						.map(({ outerHTML }) => outerHTML.slice(0, 100))
				`);
				expect([width, size, out]).toEqual([width, size, []]);
				expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
					0,
				);
			}
		},
	);

	test.each(['light', 'dark'] as const)('the edges of fields are seen in %s colours', async (colorScheme) => {
		await page.emulateMedia({ colorScheme });
		await openTool('Faults');
		const ratios = await page.evaluate<number[]>(`
			(() => {
				const light = (color) => {
					const [red, green, blue] = color.match(/[\\d.]+/g).map((part) => part / 255)
						.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
					return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
				};
				const panel = light(getComputedStyle(document.getElementById('tools')).backgroundColor);
				return [...document.querySelectorAll('input:not([type=checkbox]), select')]
					.map((field) => [light(getComputedStyle(field).borderTopColor), panel].sort((one, other) => other - one))
					.map(([lighter, darker]) => (lighter + 0.05) / (darker + 0.05));
			})()
		`);
		expect(ratios.length).toBeGreaterThan(5);
		expect(Math.min(...ratios)).toBeGreaterThanOrEqual(3);
	});

	test('with the colours of the system, what is chosen looks otherwise', async () => {
		await openNia();
		await openTool('Clock');
		await page.emulateMedia({ forcedColors: 'active' });
		const ground = (target: Locator) =>
			target.evaluate(
				(element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor,
			);
		for (const [chosen, other] of [
			[page.locator('.entry[aria-current]'), page.locator('.entry:not([aria-current])')],
			[page.getByRole('tab', { selected: true }), page.getByRole('tab', { selected: false })],
		]) {
			expect(await ground(chosen)).not.toBe(await ground(other.first()));
		}
	});

	test('text runs in the direction of its letters, and turns nothing beside it', async () => {
		await tenant.must('PATCH', '/profiles/102', { name: 'Mira \u202EExample' });
		await say('שלום, מה שלומך?');
		const direction = (text: string) =>
			log()
				.getByText(text)
				.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).direction);
		await log().getByText('שלום').waitFor();
		expect([await direction('שלום'), await direction('Which address')]).toEqual(['rtl', 'ltr']);
		await page
			.getByRole('region', { name: 'Customer and deliveries' })
			.locator('strong', { hasText: '\u202E' })
			.waitFor();
		expect(
			await page.evaluate(`
				[...document.querySelectorAll('body *')]
					.filter(({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.includes('\\u202E')))
					.filter((element) => !element.ariaHidden && getComputedStyle(element).unicodeBidi !== 'isolate')
					.map(({ outerHTML }) => outerHTML)
			`),
		).toEqual([]);
	});

	test('the page of another tenant says whose it is', async () => {
		await page.close();
		page = await open(tenant.tenants.globex.url);
		await page.getByRole('list', { name: 'About this tenant' }).getByText('globex').waitFor();
		expect(await page.title()).toBe('globex · Sandbox inbox');
	});
});

describe('an opened request', () => {
	const send = (body: string, headers: Record<string, string> = {}) =>
		fetch(`${tenant.url}/third-party/v1/tags`, {
			method: 'POST',
			body,
			headers: { 'content-type': 'application/json', ...headers },
		});
	/** The text of the newest request, opened. */
	async function opened(): Promise<string> {
		const row = (await openTool('Requests')).getByRole('listitem').first();
		await row.locator('summary').click();
		await row.locator('pre').last().waitFor();
		return await row.innerText();
	}

	test('shows numbers and names as they were sent, with indents', async () => {
		await send('{"id":12345678901234567890,"price":1.10,"same":[],"same":{ },"text":"a \\u0041, {\\""}');
		expect(await opened()).toContain(
			[
				'{',
				'  "id": 12345678901234567890,',
				'  "price": 1.10,',
				'  "same": [],',
				'  "same": {},',
				'  "text": "a \\u0041, {\\""',
				'}',
			].join('\n'),
		);
	});

	test('shows no secret of a header', async () => {
		await send('{}', { 'x-sandbox-token': 'secret-1', 'x-api-key': 'secret-2', cookie: 'a=secret-3' });
		const text = await opened();
		expect(text).toContain('x-sandbox-token: (not shown)');
		expect(text).not.toContain('secret-');
	});
});
