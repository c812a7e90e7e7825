import {
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	chromium,
	type Page,
} from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Milliseconds for one reaction of a page, on a machine that has other things to do. */
const REACTION = 120_000;

/** Starts the machine's Chromium, headless, and quiet towards the hosts of its maker. */
export async function launchChromium(): Promise<Browser> {
	return await chromium.launch({
		executablePath: EXECUTABLE,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** Opens a window. It closes with its page. */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
	const page = await browser.newPage(options);
	page.setDefaultTimeout(REACTION);
	return page;
}

/** Makes room for windows that share what the browser keeps. */
export async function newContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
	const context = await browser.newContext(options);
	context.setDefaultTimeout(REACTION);
	return context;
}
