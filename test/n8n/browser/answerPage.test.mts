import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'node:querystring';

import axe, { type AxeResults } from 'axe-core';
import { getHtmlSandboxCSP } from 'n8n-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { answerOf, writtenIn } from '../../../nodes/CustomerMessaging/messages/question/question.ts';
import {
	decidedPage,
	pageHeaders,
	questionPage,
	thanksPage,
} from '../../../nodes/CustomerMessaging/messages/question/answerPage.ts';
import type { Question } from '../../../nodes/CustomerMessaging/messages/question/answerPage.ts';
import { approval, choice, freeText } from '../../sendAndWait/questions.mts';
import { launchChromium, newContext } from './chromium.mts';

const OWN_POLICY = pageHeaders()['Content-Security-Policy']!;

/** n8n replaces the policy of HTML that a node hands back, and leaves that of HTML that a node sends itself. */
const POLICIES = {
	'its own policy': [OWN_POLICY],
	"n8n's policy": [getHtmlSandboxCSP()],
	'both policies': [OWN_POLICY, getHtmlSandboxCSP()],
};

const PHONE = { width: 360, height: 740 };

const DESKTOP = { width: 1280, height: 800 };

const QUERY = '?signature=a%2Bb%3D&x=1';

let browser: Browser;
let server: Server;
let policies: string[];
let pages: Record<string, Question | string>;
let requests: Array<Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string }>;
let page: Page;
let complaints: string[];

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('latin1');
}

/** Answers as the waiting webhook does: a question by its path, then thanks or problems. */
async function answer(request: IncomingMessage): Promise<[status: number, html: string]> {
	const body = await bodyOf(request);
	const { method, url, headers } = request;
	// n8n's policy lets the browser ask for an icon, the page's own does not.
	if (url === '/favicon.ico' && !policies.includes(OWN_POLICY)) return [404, ''];
	requests.push({ method, url, headers, body });
	const asked = pages[new URL(url!, 'http://127.0.0.1').pathname.slice(1)];
	if (asked === undefined) return [404, ''];
	if (typeof asked === 'string') return [200, asked];
	if (method === 'GET') return [200, questionPage(asked)];
	const written = writtenIn(parse(body));
	return answerOf(asked, written) ? [200, thanksPage(asked)] : [422, questionPage(asked, written)];
}

beforeAll(async () => {
	browser = await launchChromium();
	server = createServer((request, response) => {
		void answer(request).then(([status, html]) => {
			response.writeHead(status, { ...pageHeaders(), 'Content-Security-Policy': policies });
			response.end(html);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	await browser?.close();
	await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
	policies = [OWN_POLICY];
	pages = { approval, choice, freeText };
	requests = [];
	complaints = [];
});
afterEach(async () => {
	await page.context().close();
	// The browser calls an answer with problems a failed request.
	expect(complaints.filter((complaint) => !complaint.includes('status of 422'))).toEqual([]);
});

const addressOf = (name: string) =>
	`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}${QUERY}`;

async function open(name: string, options: BrowserContextOptions = {}): Promise<void> {
	const context = await newContext(browser, { viewport: PHONE, locale: 'en-GB', ...options });
	page = await context.newPage();
	page.on('console', (message) => complaints.push(message.text()));
	page.on('pageerror', ({ message }) => complaints.push(message));
	page.on('dialog', (dialog) => {
		complaints.push(dialog.message());
		void dialog.dismiss();
	});
	await page.goto(addressOf(name));
}

const press = async (...keys: string[]) => {
	for (const key of keys) await page.keyboard.press(key);
};
const heading = async () => await page.getByRole('heading', { level: 1 }).textContent();
const focused = async (): Promise<{ text: string; outline: string }> =>
	await page.evaluate(() => {
		const { textContent } = document.activeElement!;
		return { text: textContent ?? '', outline: getComputedStyle(document.activeElement!).outlineStyle };
	});

describe.each(Object.entries(POLICIES))('with %s', (_name, given) => {
	beforeEach(() => {
		policies = given;
	});

	it.each([
		['approval', 'Accept', 'answer=approve'],
		['approval', 'No, thanks', 'answer=decline'],
		['choice', 'On Tuesday', 'answer=1'],
	])('%s: %s is sent to the address of the link, and only when pressed', async (name, label, body) => {
		await open(name, { javaScriptEnabled: false });
		expect(requests.map(({ method }) => method)).toEqual(['GET']);

		await page.getByRole('button', { name: label }).click();
		expect(await heading()).toBe(approval.thanks);
		expect(requests.slice(1)).toEqual([
			expect.objectContaining({
				method: 'POST',
				url: `/${name}${QUERY}`,
				body,
				headers: expect.objectContaining({ 'content-type': 'application/x-www-form-urlencoded' }),
			}),
		]);
		expect(requests[1]!.headers.referer).toBeUndefined();
	});

	it('a text is sent as it was written', async () => {
		await open('freeText', { javaScriptEnabled: false });
		await page.getByRole('textbox', { name: freeText.title }).fill('Gut, günstig\nund "schnell" <3 😀');
		await page.getByRole('button', { name: 'Answer' }).click();
		expect(await heading()).toBe(freeText.thanks);
		expect(requests[1]!.body).toBe('answer=Gut%2C+g%C3%BCnstig%0D%0Aund+%22schnell%22+%3C3+%F0%9F%98%80');
	});

	it('a problem gets the focus, leads to the control, and keeps what was written', async () => {
		await open('freeText');
		await page.getByRole('textbox').fill('  ');
		await page.getByRole('button', { name: 'Answer' }).click();

		const problem = 'Please answer with at most 10,000 characters.';
		// A browser gives the focus when it has drawn the page.
		await page.locator('[role=alert]:focus').waitFor();
		expect(await page.title()).toBe(`${problem} How was your visit?`);
		expect(await focused()).toMatchObject({ text: problem });
		await press('Tab');
		const text = page.locator('textarea:focus');
		expect(await text.inputValue()).toBe('  ');
		expect(await text.getAttribute('aria-invalid')).toBe('true');
		expect(await page.locator(`#${await text.getAttribute('aria-describedby')}`).textContent()).toBe(problem);

		await text.fill('Fine');
		await page.getByRole('button', { name: 'Answer' }).click();
		await page.getByRole('heading', { name: freeText.thanks }).waitFor();
		expect(requests[2]).toMatchObject({ url: `/freeText${QUERY}`, body: 'answer=Fine' });
	});
});

describe('with the keyboard alone', () => {
	it.each([
		['Enter', 'approve', ['Tab']],
		['Space', 'decline', ['Tab', 'Tab']],
	])('%s decides to %s', async (key, decision, way) => {
		await open('approval');
		await press(...way);
		expect(await focused()).toMatchObject({ outline: 'solid' });
		await press(key);
		await page.getByRole('heading', { name: approval.thanks }).waitFor();
		expect(requests[1]!.body).toBe(`answer=${decision}`);
	});

	it('a text that is empty is not sent', async () => {
		await open('freeText');
		await page.getByRole('button', { name: 'Answer' }).focus();
		await press('Enter');
		await page.locator('textarea:focus').waitFor();
		expect(requests).toHaveLength(1);
	});
});

/** Each page that a person can see. */
const SEEN: Record<string, () => string> = {
	approval: () => questionPage(approval),
	'approval with a decision preferred': () => questionPage(approval, undefined, true),
	choice: () => questionPage(choice),
	freeText: () => questionPage(freeText),
	'freeText with a problem': () => questionPage({ ...freeText, language: 'sv' }, ' '),
	'freeText from right to left': () =>
		questionPage({ ...freeText, language: 'ar', title: 'متى نأتي؟', message: 'مرحبا آنا' }, ' '),
	thanks: () => thanksPage(approval),
	decided: () => decidedPage('de'),
};

/** Borders that hardly differ from what is behind them: axe does not look at these. */
const FAINT = `(() => {
	const luminance = (color) => {
		const [red, green, blue] = color.match(/[\\d.]+/g).map((part) => part / 255)
			.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const contrast = (one, two) => {
		const [light, dark] = [luminance(one), luminance(two)].sort((a, b) => b - a);
		return (light + 0.05) / (dark + 0.05);
	};
	const ground = getComputedStyle(document.querySelector('main')).backgroundColor;
	const controls = [...document.querySelectorAll('textarea, button, [role=alert]')];
	return controls.map((control) => contrast(getComputedStyle(control).borderTopColor, ground))
		.filter((ratio) => ratio < 3);
})()`;

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
	it.each(Object.entries(SEEN))('%s keeps the rules of WCAG 2.2 AA', async (_name, html) => {
		pages = { seen: html() };
		await open('seen', { colorScheme });
		for (const viewport of [PHONE, DESKTOP]) {
			await page.setViewportSize(viewport);
			const { violations, incomplete, passes }: AxeResults = await page.evaluate(
				`${axe.source};axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
			);
			const doubts = [...violations, ...incomplete].map(({ id, nodes }) => [
				id,
				nodes.map(({ html: part }) => part),
			]);
			expect(doubts).toEqual([]);
			expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['color-contrast', 'html-has-lang']));
			expect(await page.evaluate(FAINT)).toEqual([]);
		}
	});
});

/** The elements of the page whose content sticks out. Controls scroll within themselves. */
const tooWide = async (): Promise<unknown> =>
	await page.evaluate(() =>
		[document.documentElement, ...document.querySelectorAll('main, main *')]
			.filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
			.map(({ tagName }) => tagName),
	);

describe('for fingers and large letters', () => {
	it.each(Object.entries(SEEN))('%s is wide and high enough', async (_name, html) => {
		const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(8);
		pages = { seen: html().replaceAll(/(?<=[>\s])(?:Quote|Your|In the|Accept|Send)(?=\s)/g, long) };
		await open('seen', { viewport: { width: 320, height: 640 } });
		const small = await page.evaluate(() =>
			[...document.querySelectorAll('button, textarea')]
				.map((control) => control.getBoundingClientRect())
				.filter(({ width, height }) => width < 44 || height < 44),
		);
		expect(small).toEqual([]);
		expect(await tooWide()).toEqual([]);

		await page.evaluate(() => {
			document.documentElement.style.fontSize = '200%';
		});
		expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('34px');
		expect(await tooWide()).toEqual([]);
	});
});

if (process.env.SCREENSHOTS) {
	// No test: it makes the pictures for the documents anew, when asked to.
	test.each(['light', 'dark'] as const)('the picture in %s', async (colorScheme) => {
		await open('approval', { colorScheme, deviceScaleFactor: 2 });
		await page.screenshot({
			path: join(process.env.SCREENSHOTS!, `answer-page${colorScheme === 'dark' ? '-dark' : ''}.png`),
			clip: { x: 0, y: 0, width: PHONE.width, height: 420 },
		});
	});
}
