import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { until } from '../sandbox/tenant.mts';

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
