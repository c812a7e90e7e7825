import axe, { type AxeResults } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { seed } from '../../../sandbox/control/seed.mts';
import { startTenant, type TestTenant, until } from '../../sandbox/tenant.mts';
import { inboxInThisFile, keepPicture, untilLive, visitInbox } from './inbox.mts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TABS = ['Requests', 'Faults', 'Clock', 'Data'] as const;

let browser: Browser;
let tenant: TestTenant;
let page: Page;
const { complaints, open } = inboxInThisFile({}, (visit) => ({ browser, tenant, page } = visit));

const press = async (...keys: string[]) => {
	for (const key of keys) await page.keyboard.press(key);
};
const isFocused = (target: Locator) =>
	target.evaluate((element) => element === element.ownerDocument.activeElement);
const untilFocused = (target: Locator) =>
	until(async () => (await isFocused(target)) || undefined, 'the focus is there');

/** Goes there with the Tab key, as somebody without a mouse has to. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
	await target.waitFor();
	for (let presses = 0; presses < 80; presses++) {
		if (await isFocused(target)) return;
		await page.keyboard.press(key);
	}
	throw new Error('The Tab key does not lead there');
}

const button = (name: string, exact = true) => page.getByRole('button', { name, exact });
const control = (name: string) => page.getByLabel(name, { exact: true });
const said = (text: string | RegExp) =>
	page.getByRole('tabpanel').getByRole('status').filter({ hasText: text }).waitFor();
/** Waits until this is said about a control that is wrong: near it, and to a screen reader, which is led to it. */
async function untilWrong(name: string, text: RegExp): Promise<void> {
	const said = () =>
		control(name).evaluate((element) => {
			if (element.getAttribute('aria-invalid') !== 'true') return '';
			const ids = (element.getAttribute('aria-describedby') ?? '').split(' ');
			return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
		});
	await until(async () => text.test(await said()) || undefined, `${name} is said to be wrong: ${text}`);
	await untilFocused(control(name));
}

/** Opens the tools, and one of them, by keyboard. */
async function openTool(name: (typeof TABS)[number]): Promise<Locator> {
	await tabTo(button('Tools'));
	await press('Enter', 'Tab');
	await press(...Array<string>(TABS.indexOf(name)).fill('ArrowRight'));
	await untilFocused(page.getByRole('tab', { name }));
	return page.getByRole('tabpanel', { name });
}

async function type(name: string, text: string): Promise<void> {
	await tabTo(control(name));
	await page.keyboard.press('ControlOrMeta+a');
	await page.keyboard.type(text);
}

/** What the interface answers to the current user's question who he is. */
const askMe = async () => (await tenant.ask('GET', '/me')).status;

describe('the panel', () => {
	test('opens and closes by keyboard, and gives the focus back', async () => {
		await tabTo(button('Tools'));
		expect(await button('Tools').getAttribute('aria-expanded')).toBe('false');
		await press('Enter');
		expect(await button('Tools').getAttribute('aria-expanded')).toBe('true');
		await press('Tab');
		await untilFocused(page.getByRole('tab', { name: 'Requests' }));
		await press('Tab');
		await untilFocused(control('Filter requests'));
		await press('Escape');
		await untilFocused(button('Tools'));
		await page.getByRole('tab').first().waitFor({ state: 'detached' });
		await page.getByRole('region', { name: 'Customer and deliveries' }).waitFor();
	});

	test('its tabs are changed with arrows, Home and End, and only the chosen one is in the order of Tab', async () => {
		await openTool('Clock');
		await press('End');
		await page.getByRole('tabpanel', { name: 'Data' }).waitFor();
		await press('Home');
		await page.getByRole('tabpanel', { name: 'Requests' }).waitFor();
		expect(await page.getByRole('tabpanel').count()).toBe(1);
		await press('ArrowRight', 'Tab');
		await untilFocused(control('Kind'));
		await press('Shift+Tab');
		await untilFocused(page.getByRole('tab', { name: 'Faults' }));
		expect(await page.getByRole('tab', { selected: true }).allInnerTexts()).toEqual(['Faults']);
	});
});

describe('faults', () => {
	test('one is added by keyboard, meets requests, is counted down, and says when it is used up', async () => {
		const panel = await openTool('Faults');
		await tabTo(control('Kind'));
		await page.keyboard.type('Server');
		await type('Status', '503');
		await tabTo(control('Operation'));
		await page.keyboard.type('getCurrentUser');
		await type('Times', '2');
		await press('Enter');
		await said('Added: Server error.');
		expect(tenant.faults.list()).toEqual([
			{
				id: expect.any(Number),
				met: 0,
				kind: 'server-error',
				status: 503,
				operationId: 'getCurrentUser',
				times: 2,
			},
		]);
		await panel.getByText('getCurrentUser · status 503').waitFor();
		await panel.getByText('2 of 2 left').waitFor();
		expect(await askMe()).toBe(503);
		await panel.getByText('1 of 2 left').waitFor();
		expect(await askMe()).toBe(503);
		await panel.getByText('used up').waitFor();
		expect(await askMe()).toBe(200);
		await page.getByText('1 fault', { exact: true }).waitFor();
	});

	test('each kind shows the fields that it uses', async () => {
		const panel = await openTool('Faults');
		const shown = async () =>
			await panel.locator('form > .field label').filter({ visible: true }).allInnerTexts();
		const ofAll = ['Operation', 'Times'];
		await tabTo(control('Kind'));
		expect(await shown()).toEqual(['Kind', 'Delay in milliseconds', ...ofAll]);
		const fields: string[][] = [];
		for (let kind = 1; kind < 10; kind++) {
			await press('ArrowDown');
			fields.push((await shown()).slice(1, -2));
		}
		const again = 'Process the request nevertheless';
		expect(fields).toEqual([
			[
				'Retry-After in seconds',
				'Only beyond, per second',
				'Retry-After as a date',
				'X-RateLimit headers',
				again,
			],
			['Status', again],
			['Status', 'Headers as JSON', 'Body, JSON or text', again],
			[],
			[],
			[],
			[],
			['Status', again],
			['Status', 'Location', again],
		]);
	});

	test('a rate limit with a date, for a path and a part of the requests', async () => {
		await openTool('Faults');
		await tabTo(control('Kind'));
		await page.keyboard.type('Rate');
		await type('Retry-After in seconds', '7');
		await tabTo(control('Retry-After as a date'));
		await press('Space');
		await tabTo(page.getByText('More conditions'));
		await press('Enter');
		await tabTo(control('Method'));
		await page.keyboard.type('GET');
		await type('Path', '/m*');
		await type('Let pass first', '1');
		await type('Probability, 0 to 1', '1');
		await press('Enter');
		await page.getByText('GET /m* · Retry-After a date in 7 s · after 1 · probability 1').waitFor();
		expect(await askMe()).toBe(200);
		const { status, headers } = await tenant.ask('GET', '/me');
		expect(status).toBe(429);
		expect(Date.parse(headers['retry-after']!) - Date.now()).toBeLessThanOrEqual(7_000);
		expect((await tenant.ask('GET', '/tags')).status).toBe(200);
	});

	test('what is wrong stands at its field, also where it was folded away', async () => {
		await openTool('Faults');
		await type('Times', '1.5');
		await press('Enter');
		await untilWrong('Times', /nearest valid values are 1 and 2\.$/);
		await type('Times', '2');
		await tabTo(page.getByText('More conditions'));
		await press('Enter');
		await type('Probability, 0 to 1', '3');
		await tabTo(page.getByText('More conditions'), 'Shift+Tab');
		await press('Enter');
		await tabTo(button('Add fault'));
		await press('Enter');
		await untilWrong('Probability, 0 to 1', /^Value must be less than or equal to 1\.$/);
		expect(await control('Times').getAttribute('aria-invalid')).toBe('false');
		await type('Probability, 0 to 1', '0');
		await press('Enter');
		await said('Added: Slow answer.');
		expect(await control('Probability, 0 to 1').getAttribute('aria-invalid')).toBe('false');
		expect(tenant.faults.list()).toMatchObject([{ kind: 'latency', times: 2, probability: 0 }]);
	});

	test('they are removed one by one, or all; the focus goes to the next, and stays while they are met', async () => {
		for (const status of [501, 502, 503]) tenant.faults.add({ kind: 'server-error', status, times: 9 });
		const panel = await openTool('Faults');
		const remove = panel.getByRole('button', { name: 'Remove: Server error, every operation' });
		await tabTo(remove.first());
		expect(await askMe()).toBe(501);
		await panel.getByText('8 of 9 left').first().waitFor();
		expect(await isFocused(remove.first())).toBe(true);
		await press('Enter');
		await said('Removed: Server error.');
		await panel.getByText('status 501').waitFor({ state: 'detached' });
		await untilFocused(remove.first());
		expect(await askMe()).toBe(502);
		await tabTo(button('Remove all'), 'Shift+Tab');
		await press('Enter');
		await said('All faults are removed.');
		await untilFocused(panel.getByRole('heading', { name: 'Faults' }));
		await panel.getByText('None: every request is answered as it should be.').waitFor();
		expect(await askMe()).toBe(200);
	});

	test('those that a program adds appear', async () => {
		const panel = await openTool('Faults');
		await panel.getByText('None: every request').waitFor();
		await tenant.control('POST', '/faults', { kind: 'html', operationId: 'listTags' });
		await panel.getByText('HTML in place of JSON').last().waitFor();
		await panel.getByText('listTags', { exact: true }).last().waitFor();
		await tenant.control('DELETE', '/faults');
		await panel.getByText('None: every request').waitFor();
	});
});

describe('the clock', () => {
	const ahead = () => tenant.store.clock.ahead();

	test('is advanced by a preset and by an amount, forwards and back, and goes back to real time', async () => {
		const panel = await openTool('Clock');
		await panel.getByText('Real time', { exact: true }).waitFor();
		await tabTo(button('Advance by 1 day'));
		await press('Enter');
		await said(/^It is .* now\.$/);
		expect(ahead()).toBe(DAY);
		await panel.getByText('24 hours ahead of real time').waitFor();
		await page.getByText('Clock 24 hours ahead').waitFor();
		expect(await isFocused(button('Advance by 1 day'))).toBe(true);

		await type('Amount', '90');
		await press('Enter');
		await until(() => ahead() === DAY + 90 * MINUTE || undefined, 'the clock is moved');
		await page.getByText('Session expired').waitFor();
		await type('Amount', '-2');
		await tabTo(control('Unit'));
		await page.keyboard.type('days');
		await tabTo(button('Advance'));
		await press('Enter');
		await until(() => ahead() === 90 * MINUTE - DAY || undefined, 'the clock is moved');
		await page.getByText('Clock 23 hours behind').waitFor();

		await tabTo(button('Back to real time'), 'Shift+Tab');
		await press('Enter');
		await panel.getByText('Real time', { exact: true }).waitFor();
		expect(ahead()).toBe(0);
		// The panel and the bar above it are drawn one after the other.
		await page.getByText(/^Clock .*(ahead|behind)/).waitFor({ state: 'detached' });
	});

	test('is set to a time, and runs on from there', async () => {
		// A day that every month has, whichever part of the date is the first.
		tenant.store.clock.set(Date.parse('2031-05-06T12:00:00Z'));
		const panel = await openTool('Clock');
		const field = control('Date and time, in your time zone');
		await tabTo(field);
		const before = await field.inputValue();
		await press('ArrowUp');
		const chosen = await field.inputValue();
		expect(chosen).not.toBe(before);
		await press('Enter');
		await said('It is');
		const now = Date.parse((await tenant.control<{ now: string }>('GET', '/clock')).now);
		expect(now - new Date(chosen).getTime()).toBeLessThan(MINUTE);
		expect(now).toBeGreaterThanOrEqual(new Date(chosen).getTime());
		const shown = panel.locator('time');
		expect(Date.parse((await shown.getAttribute('datetime'))!)).toBeGreaterThanOrEqual(now - 1_000);
		const first = await shown.innerText();
		await until(async () => (await shown.innerText()) !== first || undefined, 'it runs');
	});

	test('an amount that is missing is asked for', async () => {
		await openTool('Clock');
		await tabTo(button('Advance'));
		await press('Enter');
		await untilWrong('Amount', /./);
		expect(ahead()).toBe(0);
	});

	test('where a program moves it, that is shown', async () => {
		const panel = await openTool('Clock');
		await tenant.control('POST', '/clock', { advance: { hours: 25 } });
		await panel.getByText('25 hours ahead of real time').waitFor();
		await page.getByText('Session expired').waitFor();
	});
});

describe('data', () => {
	const customers = () => tenant.store.counts().customers;

	test('customers are added, some with a conversation', async () => {
		await openTool('Data');
		const before = customers();
		await type('How many', '12');
		await type('With a conversation', '3');
		await press('Enter');
		await said(/^12 customers added in \d+ ms\.$/);
		expect(customers()).toBe(before + 12);
		const { data } = await tenant.must<{ data: unknown[] }>(
			'GET',
			'/profiles?search=49152000000&per_page=100',
		);
		expect(data).toHaveLength(12);
		await until(
			async () => (await page.getByRole('navigation').getByRole('link').count()) === 4 || undefined,
			'the conversations are listed',
		);
	});

	test('a number that the sandbox does not take is told at its field', async () => {
		await openTool('Data');
		await type('How many', '100001');
		await press('Enter');
		await untilWrong('How many', /^Value must be less than or equal to 100000\.$/);
	});

	test('a reset asks before it deletes', async () => {
		await openTool('Data');
		await tenant.must('POST', '/customers', { channel: 'chatapp', display_id: '4915112345678', name: 'Nia' });
		const reset = button('Back to the demo data…');
		await tabTo(reset);
		await press('Enter');
		const question = page.getByRole('alertdialog', { name: /are deleted/ });
		await question.waitFor();
		await untilFocused(question.getByRole('button', { name: 'Cancel' }));
		await press('Escape');
		await question.waitFor({ state: 'detached' });
		await untilFocused(reset);
		expect(await page.getByRole('tabpanel', { name: 'Data' }).count()).toBe(1);
		expect(customers()).toBe(4);

		await press('Enter', 'Tab');
		await untilFocused(question.getByRole('button', { name: 'Reset' }));
		await press('Enter');
		await said('The tenant holds the demo data again.');
		expect(customers()).toBe(3);
		await untilFocused(reset);
	});
});

describe('snapshots', () => {
	const names = () => tenant.tenant.snapshots.list().map(({ name }) => name);
	const save = async (name: string) => {
		await type('Name', name);
		await press('Enter');
	};

	test('one is saved, loaded and deleted by keyboard, and brings everything back', async () => {
		const panel = await openTool('Data');
		await panel.getByText('None yet.').waitFor();
		await save('before');
		await said('Saved: before.');
		expect(names()).toEqual(['before']);
		expect(await control('Name').inputValue()).toBe('');

		await tenant.must('PATCH', '/profiles/102', { name: 'Changed Since' });
		await tenant.must('DELETE', '/customers/102');
		await page.getByRole('heading', { name: 'Changed Since' }).waitFor();
		await tabTo(button('Load before'));
		await press('Enter');
		await untilFocused(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }));
		await press('Tab', 'Enter');
		await said('Loaded: before.');
		expect(await tenant.must('GET', '/profiles/102')).toMatchObject({ data: { name: 'Mira Example' } });
		expect((await tenant.ask('GET', '/customers/102')).status).toBe(200);
		await page.getByRole('heading', { name: 'Mira Example' }).waitFor();
		await untilFocused(button('Load before'));

		await tabTo(button('Delete before'));
		await press('Enter', 'Tab', 'Enter');
		await said('Deleted: before.');
		await untilFocused(control('Name'));
		expect(names()).toEqual([]);
		await panel.getByText('None yet.').waitFor();
	});

	test('a name is asked for, checked by the sandbox, and not replaced without a question', async () => {
		await openTool('Data');
		await tabTo(button('Save'));
		await press('Enter');
		await untilWrong('Name', /./);
		await save('a / b');
		await untilWrong('Name', /name/);
		complaints.forgive(/status of 422/);
		await save('kept');
		await said('Saved: kept.');
		await button('Load kept').waitFor();
		const first = tenant.tenant.snapshots.list();
		await save('kept');
		await page.getByRole('alertdialog', { name: 'Replace the snapshot “kept”?' }).waitFor();
		await press('Enter');
		await untilFocused(control('Name'));
		expect(tenant.tenant.snapshots.list()).toEqual(first);
	});

	test('those that a program saves appear, and the focus moves on from one that it deletes', async () => {
		await openTool('Data');
		await tenant.control('POST', '/snapshots', { name: 'nightly' });
		await button('Load nightly').waitFor();
		await tenant.control('DELETE', '/snapshots/nightly');
		await button('Load nightly').waitFor({ state: 'detached' });
	});

	test('the conversation that a snapshot does not know gives way to the latest one', async () => {
		tenant.saveSnapshot('before');
		await tenant.must('POST', '/chatapp/send-template', {
			phone_number: 4_915_112_345_678,
			customer_name: 'Nia New',
			template_name: 'opening_hours',
			template_language: 'en_US',
		});
		await page.getByRole('link', { name: /Nia New/ }).click();
		await page.getByRole('main', { name: 'Nia New' }).waitFor();
		tenant.loadSnapshot('before');
		await page.getByRole('main', { name: 'Mira Example' }).waitFor();
		await page.getByText('Live', { exact: true }).waitFor();
		complaints.forgive(/status of 404/);
	});
});

describe('the request log', () => {
	const rows = (panel: Locator) => panel.getByRole('listitem');
	const lines = async (panel: Locator) =>
		(await rows(panel).locator('summary').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

	test('lists requests as they come, the newest first, with time, status and duration', async () => {
		const panel = await openTool('Requests');
		await panel.getByText('None yet.').waitFor();
		await askMe();
		await tenant.ask('POST', '/customers', { name: 'No number' });
		await rows(panel).nth(1).waitFor();
		await panel.getByText('2 requests', { exact: true }).waitFor();
		expect(await lines(panel)).toEqual([
			expect.stringMatching(/^422 POST \/customers \d\d:\d\d:\d\d · \d+ ms$/),
			expect.stringMatching(/^200 GET \/me \d\d:\d\d:\d\d · \d+ ms$/),
		]);
	});

	test('a row opens by keyboard: headers without the token, and the body with indents', async () => {
		const panel = await openTool('Requests');
		await tenant.ask('POST', '/customers?from=test', { name: 'No number', deep: { er: [1] } });
		await tabTo(rows(panel).first().locator('summary'));
		await press('Enter');
		await panel.getByText('authorization: (not shown)').waitFor();
		await panel.getByText('POST /third-party/v1/customers?from=test', { exact: true }).waitFor();
		expect(await panel.locator('pre').last().innerText()).toBe(
			JSON.stringify({ name: 'No number', deep: { er: [1] } }, null, 2),
		);
		expect(await page.content()).not.toContain(tenant.token);
		await press('Tab');
		await untilFocused(panel.locator('pre').first());
	});

	test('the focus stays on a row, which stays open, while others come in', async () => {
		const panel = await openTool('Requests');
		await askMe();
		const summary = panel.locator('summary', { hasText: 'GET /me' });
		await tabTo(summary);
		await press('Enter');
		await panel.getByText('authorization').waitFor();
		for (const path of ['/tags', '/groups', '/agents']) await tenant.ask('GET', path);
		await rows(panel).nth(3).waitFor();
		expect((await lines(panel)).at(-1)).toContain('GET /me');
		expect(await isFocused(summary)).toBe(true);
		expect(await panel.getByText('authorization').isVisible()).toBe(true);
	});

	test('one that is under way says so, then how it ended; one without an answer too', async () => {
		const panel = await openTool('Requests');
		tenant.faults.add({ kind: 'drop-before', operationId: 'listTags' });
		tenant.faults.add({ kind: 'latency', ms: 4_000, operationId: 'getCurrentUser' });
		const answer = askMe();
		await panel.getByText('under way').waitFor();
		expect(await answer).toBe(200);
		await panel.getByText('200', { exact: true }).waitFor();
		await expect(tenant.ask('GET', '/tags')).rejects.toThrow();
		await panel.getByText('no answer').waitFor();
		expect((await lines(panel))[0]).toMatch(/^no answer GET \/tags/);
	});

	test('it is filtered by words, says how many are found, and is cleared', async () => {
		const panel = await openTool('Requests');
		await askMe();
		await tenant.ask('GET', '/tags');
		await tenant.ask('POST', '/tags', {});
		await rows(panel).nth(2).waitFor();
		await tabTo(control('Filter requests'));
		await page.keyboard.type('tags get');
		await said('1 of 3 requests');
		expect(await lines(panel)).toEqual([expect.stringContaining('GET /tags')]);
		await tenant.ask('GET', '/tags?page=2');
		await rows(panel).nth(1).waitFor();
		await press('Escape');
		await said('4 requests');
		expect(await panel.isVisible()).toBe(true);
		await tabTo(button('Clear'));
		await press('Enter');
		await said('The log is empty.');
		await panel.getByText('None yet.').waitFor();
		await rows(panel).first().waitFor({ state: 'detached' });
		expect(await isFocused(button('Clear'))).toBe(true);
		expect(tenant.requests()).toEqual([]);
	});

	test('bodies that are no text or that are long are told in words', async () => {
		const panel = await openTool('Requests');
		await tenant.ask('POST', '/tags', { title: 'x'.repeat(300_000) });
		const send = (body: Uint8Array<ArrayBuffer>) =>
			fetch(`${tenant.url}/third-party/v1/tags`, { method: 'POST', body });
		await send(new Uint8Array([0xff, 0xfe, 0x00]));
		await rows(panel).nth(1).locator('summary').click();
		await panel.getByText('293 kB · the first 256 kB are kept').waitFor();
		await rows(panel).first().locator('summary').click();
		await panel.getByText(/^3 B · no text, SHA-256 [0-9a-f]{64}$/).waitFor();
	});

	test('what was sent is never markup and never a script', async () => {
		const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
		const panel = await openTool('Requests');
		await tenant.ask('POST', `/tags/${encodeURIComponent(hostile)}?${hostile.replaceAll(' ', '')}`, {
			hostile,
		});
		await rows(panel).first().locator('summary').click();
		await panel.locator('pre', { hasText: 'onerror' }).waitFor();
		await page.getByRole('tab', { name: 'Faults' }).click();
		await tenant.control('POST', '/faults', { kind: 'redirect', location: hostile, path: `/${hostile}` });
		await page.getByRole('tabpanel').getByText(`to ${hostile}`).waitFor();
		expect(await page.title()).toBe('Sandbox inbox');
		expect(await page.locator('.tools script, .tools [onerror], .tools img').count()).toBe(0);
	});

	test('of many requests the newest are shown, and all are searched', async () => {
		const panel = await openTool('Requests');
		const answers = [];
		for (let index = 0; index < 300; index++) answers.push(tenant.ask('GET', `/tags/${index}`));
		await Promise.all(answers);
		await panel.getByText('300 requests, the newest 200 are shown').waitFor();
		expect(await rows(panel).count()).toBe(200);
		await tabTo(control('Filter requests'));
		await page.keyboard.type('/tags/7');
		await panel.getByText('11 of 300 requests', { exact: true }).last().waitFor();
	});
});

describe('when the sandbox refuses or is away', () => {
	test('without the control token every tool says what is missing; the link of the start opens them', async () => {
		const guarded = await startTenant({ controlToken: 'a-token-of-the-tests' });
		await page.close();
		page = await visitInbox(browser, `${guarded.url}/`, complaints);
		for (const tab of TABS) {
			await openTool(tab);
			const missing = page.getByRole('tabpanel', { name: tab }).getByRole('alert');
			await missing.filter({ hasText: 'The control token is missing or wrong.' }).waitFor();
			await press('Escape');
			await page.keyboard.press('Shift+Tab');
			await page.reload();
		}
		await openTool('Clock');
		await tabTo(button('Advance by 1 day'));
		await press('Enter');
		await said('The control token is missing or wrong.');
		complaints.forgive(/status of 401|EventSource/);

		await page.goto(`${guarded.url}/?token=${guarded.controlToken}`);
		await untilLive(page);
		await openTool('Clock');
		await tabTo(button('Advance by 1 day'));
		await press('Enter');
		await said('It is');
		expect(guarded.store.clock.ahead()).toBe(DAY);
		await page.close();
		await guarded.close();
	});

	test('while it is away, forms say so, and the log goes on with the one that is started then', async () => {
		const other = await startTenant();
		const { port } = new URL(other.url);
		await page.close();
		page = await open(other.url);
		const panel = await openTool('Requests');
		await other.ask('GET', '/me');
		await other.ask('GET', '/tags');
		await panel.getByText('2 requests').waitFor();
		await other.close();
		await page.getByText('Reconnecting…').waitFor();
		await tabTo(button('Clear'));
		await press('Enter');
		await said('The sandbox does not answer.');

		const again = await startTenant({ port: Number(port) });
		await page.getByText('Live', { exact: true }).waitFor();
		await again.ask('GET', '/groups');
		await panel.getByText('1 request', { exact: true }).waitFor();
		expect(await panel.locator('summary').allInnerTexts()).toEqual([expect.stringContaining('GET /groups')]);
		await again.close();
		complaints.forgive(/ERR_|fetch/);
	});
});

describe('for everybody', () => {
	/** What there is in each tool to see. */
	const fill = async () => {
		tenant.faults.add({ kind: 'rate-limit', operationId: 'listTags', times: 3 });
		tenant.faults.add({
			kind: 'redirect',
			location: `https://shop.example/${'x'.repeat(200)}`,
			path: '/users*',
		});
		tenant.faults.add({ kind: 'drop-before', operationId: 'listGroups' });
		await tenant.ask('GET', `/profiles?search=${'long'.repeat(60)}`);
		await tenant.ask('POST', '/tags', { title: 'y'.repeat(300) });
		await tenant.ask('GET', '/tags');
		await expect(tenant.ask('GET', '/groups')).rejects.toThrow();
		tenant.saveSnapshot('n'.repeat(64));
		await tenant.control('POST', '/clock', { advance: { days: 400 } });
	};

	/** Elements of the tools whose content sticks out, other than those that scroll or shorten it. */
	const TOO_WIDE = `
		var all = '.tools, .tools :not(pre, select, input, .hidden, .unseen, .address), dialog';
		[...document.querySelectorAll(all)]
			.filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
			.map(({ outerHTML }) => outerHTML.slice(0, 120))
	`;

	const STATES: Record<string, () => Promise<unknown>> = {
		closed: async () => {
			tenant.registerWebhook({ url: `${tenant.url}/hears` });
			await tenant.must('POST', '/conversations/2001/messages', {
				type: 'text',
				text: { content: 'Automatic' },
				from_automation: true,
			});
			const delivery = page.getByRole('region', { name: 'Webhook deliveries' });
			await delivery.getByText('404', { exact: true }).click();
			await delivery.getByRole('heading', { name: 'Sent' }).waitFor();
		},
		requests: async () => {
			await openTool('Requests');
			for (const summary of await page.getByRole('tabpanel').locator('summary').all()) await summary.click();
			await page.getByText(/y{300}/).waitFor();
		},
		'no requests': async () => {
			await openTool('Requests');
			await type('Filter requests', 'nothing like it');
			await said('0 of 4 requests');
		},
		faults: async () => {
			await openTool('Faults');
			await page.getByText('More conditions').click();
			await control('Kind').selectOption('rate-limit');
			await page.getByText('2 of 3 left').waitFor();
		},
		'a fault that is refused': async () => {
			await openTool('Faults');
			await type('Times', '1.5');
			await press('Enter');
			await untilWrong('Times', /./);
		},
		clock: async () => {
			await openTool('Clock');
			await tabTo(button('Advance by 1 hour'));
			await press('Enter');
			await said('It is');
		},
		'an amount that is missing': async () => {
			await openTool('Clock');
			await tabTo(button('Advance'));
			await press('Enter');
			await untilWrong('Amount', /./);
		},
		data: async () => {
			await openTool('Data');
			await type('How many', '1');
			await press('Enter');
			await said('1 customer added');
			await page.getByText(/n{64}/).waitFor();
		},
		'a question': async () => {
			await openTool('Data');
			await tabTo(button('Back to the demo data…'));
			await press('Enter');
			await page.getByRole('alertdialog').waitFor();
		},
		'an error of the sandbox': async () => {
			await openTool('Data');
			await page.route('**/sandbox/snapshots', (route) =>
				route.fulfill({ status: 500, json: { message: 'Disk full.' } }),
			);
			await type('Name', 'full');
			await press('Enter');
			await said('Disk full.');
			await page.unroute('**/sandbox/snapshots');
			complaints.forgive(/status of 500/);
		},
	};
	const VIEWS = [
		{ colorScheme: 'light', width: 1440, height: 900 },
		{ colorScheme: 'dark', width: 1440, height: 900 },
		{ colorScheme: 'light', width: 900, height: 900 },
		{ colorScheme: 'light', width: 390, height: 844 },
		{ colorScheme: 'dark', width: 390, height: 844 },
	] as const;

	test.each(Object.entries(STATES))(
		'%s: axe finds nothing and nothing sticks out, light and dark, wide and narrow',
		async (_state, reach) => {
			await fill();
			await reach();
			await page.evaluate(axe.source);
			for (const { colorScheme, ...size } of VIEWS) {
				await page.emulateMedia({ colorScheme });
				await page.setViewportSize(size);
				const { violations, passes }: AxeResults = await page.evaluate(
					"axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
				);
				expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
				expect(passes.map(({ id }) => id)).toContain('color-contrast');
				expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
					0,
				);
				expect(await page.evaluate(TOO_WIDE)).toEqual([]);
			}
		},
	);
});

// No test: it makes the picture of the documents anew, when asked to.
if (process.env.SCREENSHOTS) {
	test('the picture for the README', async () => {
		seed(tenant.store, { profiles: 9, conversations: 8 });
		tenant.faults.add({ kind: 'rate-limit', operationId: 'createCustomer', times: 1 });
		const number = { channel: 'chatapp', display_id: '4915112345678', name: 'Nia New' };
		await tenant.ask('GET', '/profiles?search=mira');
		await tenant.ask('POST', '/customers', number);
		await tenant.ask('POST', '/customers', number);
		await tenant.ask('POST', '/profiles/102/tags', { tags: [{ title: 'Brand new' }] });
		await tenant.ask('POST', '/conversations/2001/messages', {
			type: 'text',
			text: { content: 'Great, we will bring it there.' },
			reference_id: 30_002,
		});
		await page.close();
		page = await open();
		const panel = await openTool('Requests');
		await panel.locator('summary').first().click();
		await panel.locator('pre').first().waitFor();
		await page.mouse.move(0, 0);
		await keepPicture(page, 'sandbox-tools.png');
	});
}
