import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { startTenant, type TestTenant, until } from '../../sandbox/tenant.mts';
import { launchChromium, newPage } from './chromium.mts';

let browser: Browser;
let tenant: TestTenant;
let receiver: Server;
let page: Page;
/** What the browser wrote to its console about errors of the page. */
let complaints: string[];

beforeAll(async () => {
	browser = await launchChromium();
	tenant = await startTenant();
	receiver = createServer((request, response) => {
		response.statusCode = request.url === '/refuses' ? 500 : 200;
		request.resume().on('end', () => response.end('{"heard":true}'));
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	await browser?.close();
	await tenant?.close();
	receiver.close();
});
beforeEach(async () => {
	complaints = [];
	await tenant.reset();
	page = await open(`${tenant.url}/`);
});
afterEach(async () => {
	await page.close();
	expect(complaints).toEqual([]);
});

async function open(url: string, height = 900): Promise<Page> {
	const opened = await newPage(browser, { viewport: { width: 1440, height }, locale: 'en-GB' });
	opened.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
	opened.on('pageerror', ({ message }) => complaints.push(message));
	await opened.goto(url);
	await opened.getByText('Live', { exact: true }).waitFor();
	await opened.locator('.message').first().waitFor();
	return opened;
}

const receiverUrl = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
const say = (content: string, fields: object = {}) =>
	tenant.must('POST', '/conversations/2001/messages', { type: 'text', text: { content }, ...fields });
const send = (template_name: string, template_components: object[], more: object = {}) =>
	tenant.must('POST', '/chatapp/send-template', {
		...{ customer_id: 101, template_name, template_language: 'en_US', template_components, ...more },
	});
const last = () => page.locator('.message').last();
const customer = () => page.getByRole('region', { name: 'Customer and deliveries' });
const entries = () => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');
async function openTool(name: string) {
	await page.getByRole('button', { name: 'Tools', exact: true }).click();
	await page.getByRole('tab', { name }).click();
	return page.getByRole('tabpanel', { name });
}

test('a visitor reads the latest conversation as its customer does, beside profile, consent, tags and groups', async () => {
	await page.getByRole('heading', { name: 'Mira Example' }).waitFor();
	expect(await page.locator('.message').allInnerTexts()).toEqual([
		expect.stringMatching(/Good news, Mira![^]*Reply STOP[^]*Track parcel[^]*Template order_shipped/),
		expect.stringContaining('Can I change the delivery address?'),
		expect.stringContaining('Which address should it go to?'),
	]);
	expect(await page.locator('.message.mine').count()).toBe(1);
	expect(await customer().innerText()).toMatch(/Opted in to marketing[^]*\+491700000001[^]*1990-04-12/);
	expect(await customer().locator('.tags li').allInnerTexts()).toEqual(['Newsletter', 'VIP']);
	expect(await customer().locator('.groups li').allInnerTexts()).toEqual(['Regulars']);
});

test('a message that is sent meanwhile appears, and the visitor answers as the customer', async () => {
	await send('opening_hours', [], { customer_id: undefined, phone_number: 4_915_112_345_678 });
	await entries().first().getByText('4915112345678').first().waitFor();
	await say('Here I am again');
	await page.getByRole('log').getByText('Here I am again').waitFor();
	await entries().first().getByText('Mira Example').waitFor();
	await page.getByRole('textbox', { name: 'Write as the customer' }).fill('To the office, please');
	await page.keyboard.press('Enter');
	await page.locator('.message.mine', { hasText: 'To the office, please' }).waitFor();
	expect(tenant.store.conversations.lastMessage(2001)).toMatchObject({
		from: 'customer',
		status: 'received',
	});
	tenant.clock.advance({ hours: 25 });
	await say('Are you still there?');
	await page.getByText('Not delivered: The customer has not written for too long.').waitFor();
	await page.getByText('Session expired').waitFor();
});

test('deliveries appear with the answers of their receivers, and can be repeated', async () => {
	tenant.registerWebhook({ url: receiverUrl('/refuses') });
	await say('Automatic', { from_automation: true });
	const deliveries = page.getByRole('region', { name: 'Webhook deliveries' });
	await deliveries.getByText('500', { exact: true }).click();
	await deliveries.getByText('{"heard":true}').waitFor();
	expect(await deliveries.locator('pre').last().innerText()).toContain('"event": "new-agent-message"');
	await deliveries.getByRole('button', { name: 'Deliver again' }).click();
	await deliveries.getByText('try 2').waitFor();
});

test('the tools show requests without their secrets, add faults, move the clock, and add customers', async () => {
	const requests = await openTool('Requests');
	await tenant.ask('GET', '/tags?page=1', undefined, 'secret-of-the-test');
	await requests.getByText('401').click();
	await requests.getByText('authorization: (not shown)').waitFor();
	expect(await requests.innerText()).toMatch(/GET \/tags\?page=1/);
	await page.getByRole('tab', { name: 'Faults' }).click();
	await page.getByLabel('Kind').selectOption('rate-limit');
	await page.getByLabel('Operation').selectOption('listTags');
	await page.getByLabel('Times').fill('1');
	await page.getByRole('button', { name: 'Add fault' }).click();
	await page.getByText('1 of 1 left').waitFor();
	expect([(await tenant.ask('GET', '/tags')).status, (await tenant.ask('GET', '/tags')).status]).toEqual([
		429, 200,
	]);
	await page.getByText('used up').waitFor();
	await page.getByRole('tab', { name: 'Clock' }).click();
	await page.getByRole('button', { name: 'Advance by 1 day' }).click();
	await page.getByText('Clock 24 hours ahead').waitFor();
	await page.getByRole('tab', { name: 'Data' }).click();
	await page.getByLabel('How many').fill('20');
	await page.getByRole('button', { name: 'Add customers' }).click();
	await page.getByText('23 customers').waitFor();
	page.once('dialog', (dialog) => void dialog.accept());
	await page.getByRole('button', { name: 'Back to the demo data…' }).click();
	await page.getByText('3 customers').waitFor();
});

test('what was sent is never markup and never a script', async () => {
	const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
	const id = tenant.store.profiles.ofCustomer(101)?.id;
	await tenant.must('PATCH', `/profiles/${id}`, { name: hostile, custom_2: hostile });
	await tenant.must('POST', `/profiles/${id}/tags`, { tags: [{ title: hostile }] });
	await say(`${hostile} *${hostile}*`);
	const buttons = [{ type: 'URL', text: 'Tap', url: 'javascript:document.title=3' }];
	const components = [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text: hostile },
		{ type: 'BUTTONS', buttons },
	];
	await tenant.must('POST', '/templates', { name: 'hostile', language: 'en_US', components });
	const image = { link: 'javascript:document.title=4' };
	await send('hostile', [{ type: 'header', parameters: [{ type: 'image', image }] }]);
	await last().getByText('Tap').waitFor();
	await page.getByRole('heading', { name: hostile }).waitFor();
	expect(await page.title()).toBe('Sandbox inbox');
	expect(await page.locator('.message script, .message [onerror], a[href^="javascript"]').count()).toBe(0);
});

/** Keeps a picture of the page, when all in it has arrived, in the folder that SCREENSHOTS names. */
async function keepPicture(name: string): Promise<void> {
	const isStill = async () => (await page.evaluate('document.getAnimations().length === 0')) || undefined;
	await until(isStill, 'all has arrived');
	const picture = sharp(await page.screenshot()).png({ palette: true, quality: 90, effort: 10 });
	await picture.toFile(join(process.env.SCREENSHOTS ?? '', name));
}

async function takePictures(): Promise<void> {
	tenant.seed({ profiles: 9, conversations: 8 });
	for (const path of ['/webhook', '/refuses']) tenant.registerWebhook({ url: receiverUrl(path) });
	await say('Great, we will bring it there.', { reference_id: 30_002 });
	await send('opening_hours', [], { from_automation: true });
	await tenant.deliveriesSettled();
	await page.close();
	page = await open(`${tenant.url}/`, 1120);
	await page.getByRole('img', { name: 'Image' }).waitFor();
	await keepPicture('sandbox-inbox.png');
	tenant.faults.add({ kind: 'rate-limit', operationId: 'listGroups', retryAfter: 2 });
	const requests = await openTool('Requests');
	for (const path of ['/me', '/groups', '/customers?channel=chatapp']) await tenant.ask('GET', path);
	await requests.getByText('/chatapp/send-template').click();
	await requests.locator('pre').last().waitFor();
	await keepPicture('sandbox-tools.png');
}
// No test: it makes the pictures of the documents anew, when asked to.
if (process.env.SCREENSHOTS) test('the pictures for the documents', takePictures);
