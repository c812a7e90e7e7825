import type { Browser, Page } from 'playwright-core';

export interface View {
	colorScheme?: 'light' | 'dark';
	width?: number;
	height?: number;
}

/** Opens a page of the sandbox's inbox; what the browser complains of is noted. */
export async function visitInbox(
	browser: Browser,
	url: string,
	complaints: string[],
	{ colorScheme = 'light', width = 1440, height = 900 }: View = {},
): Promise<Page> {
	const page = await browser.newPage({ colorScheme, viewport: { width, height }, locale: 'en-GB' });
	page.on('console', (message) => {
		if (message.type() === 'error') complaints.push(message.text());
	});
	page.on('pageerror', ({ message }) => complaints.push(message));
	await page.goto(url);
	return page;
}

/** Waits until the page follows the sandbox, and shows a conversation. */
export async function untilLive(page: Page): Promise<Page> {
	await page.getByText('Live', { exact: true }).waitFor();
	await page.locator('.message').first().waitFor();
	return page;
}
