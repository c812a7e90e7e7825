import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

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
