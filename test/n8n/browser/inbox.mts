import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import type { SandboxOptions } from '../../../sandbox/server.mts';
import { startTenant, type TestTenant, until } from '../../sandbox/tenant.mts';
import { launchChromium, newPage } from './chromium.mts';

export interface View {
	colorScheme?: 'light' | 'dark';
	width?: number;
	height?: number;
}

/** What browsers write to their consoles about pages that have errors, of one test. */
export class Complaints {
	private readonly texts: string[] = [];
	private readonly forgiven: RegExp[] = [];

	/** Notes what the browser complains of about this page. */
	listenTo(page: Page): void {
		page.on('console', (message) => {
			if (message.type() === 'error') this.texts.push(message.text());
		});
		page.on('pageerror', ({ message }) => this.texts.push(message));
	}

	/** Lets pass what this test causes. */
	forgive(what: RegExp): void {
		this.forgiven.push(what);
	}

	/** Ends a test. @returns what was not forgiven, and what was forgiven in vain */
	end(): string[] {
		const texts = this.texts.splice(0);
		const forgiven = this.forgiven.splice(0);
		return [
			...texts.filter((text) => !forgiven.some((what) => what.test(text))),
			...forgiven
				.filter((what) => !texts.some((text) => what.test(text)))
				.map((what) => `nothing like ${what}`),
		];
	}
}

/** Opens a page of the sandbox's inbox; what the browser complains of is noted. */
export async function visitInbox(
	browser: Browser,
	url: string,
	complaints: Complaints,
	{ colorScheme = 'light', width = 1440, height = 900 }: View = {},
): Promise<Page> {
	const page = await newPage(browser, { colorScheme, viewport: { width, height }, locale: 'en-GB' });
	complaints.listenTo(page);
	await page.goto(url);
	return page;
}

/** Waits until the page follows the sandbox, and shows a conversation. */
export async function untilLive(page: Page): Promise<Page> {
	await page.getByText('Live', { exact: true }).waitFor();
	await page.locator('.message').first().waitFor();
	return page;
}

/** What a test of the inbox works with. */
export interface InboxVisit {
	browser: Browser;
	tenant: TestTenant;
	/** The inbox of this tenant. */
	page: Page;
}

/**
 * Starts a browser and a tenant for the tests of a file. Each test begins with the tenant as it is at first and its inbox, and
 * fails where the browser complained of what it did not forgive.
 *
 * @param take is called before each test
 */
export function inboxInThisFile(options: SandboxOptions, take: (visit: InboxVisit) => void) {
	const complaints = new Complaints();
	let browser: Browser;
	let tenant: TestTenant;
	const open = async (url = tenant.url): Promise<Page> =>
		await untilLive(await visitInbox(browser, `${url}/`, complaints));

	beforeAll(async () => {
		browser = await launchChromium();
		tenant = await startTenant(options);
	});
	afterAll(async () => {
		await browser?.close();
		await tenant?.close();
	});
	beforeEach(async () => {
		for (const { name } of tenant.tenant.snapshots.list()) tenant.tenant.snapshots.delete(name);
		await tenant.reset();
		take({ browser, tenant, page: await open() });
	});
	afterEach(async () => {
		for (const context of browser.contexts()) await context.close();
		expect(complaints.end()).toEqual([]);
	});
	return { complaints, open };
}

/** Keeps a picture of the page, when all in it has arrived, in the folder that SCREENSHOTS names. */
export async function keepPicture(page: Page, name: string): Promise<void> {
	await until(
		async () => (await page.evaluate('document.getAnimations().length === 0')) || undefined,
		'all has arrived',
	);
	await sharp(await page.screenshot())
		.png({ palette: true, quality: 90, effort: 10 })
		.toFile(join(process.env.SCREENSHOTS!, name));
}
