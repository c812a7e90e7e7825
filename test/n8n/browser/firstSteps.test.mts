import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';

import { isNote, overlapsOf, pictureOf, type Place, sizeOf } from '../e2e/exampleLayout.mts';
import { EXAMPLES_FOLDER, exampleNames, MANUAL_START, readExample } from '../e2e/examples.mts';
import { CREDENTIAL_TYPE, type TenantAndN8n } from '../e2e/tenantAndN8n.mts';
import { http } from '../../http.mts';
import { waitFor } from '../waitFor.mts';
import { Editor, type EditorInFile, editorInThisFile } from './editor.mts';
import { Recording } from './recording.mts';
import { newPage } from './chromium.mts';

/** Where the video is kept. It is then played so slowly that a person can follow it, and with more pictures. */
const { RECORDING } = process.env;

let started: EditorInFile;
let both: TenantAndN8n;
let browser: Browser;
let recording: Recording;

editorInThisFile(async (begun) => {
	started = begun;
	({ both, browser } = begun);
	const [pause, framesPerSecond] = RECORDING ? [2_500, 8] : [0, 2];
	recording = await Recording.start(browser, pause, framesPerSecond);
});

/** Begins a scene of the video. */
async function scene(page: Page, title: string, words: string): Promise<void> {
	await recording.title(page, title, words);
}

describe('from an empty canvas to a sent template', () => {
	const CLICKS = 11;
	/** How often Tab is pressed to go on to a field: n8n has buttons between its fields. */
	const TABS = [3, 5, 5, 5];
	let editor: Editor;
	let clicks = 0;
	const tabs: number[] = [];
	const steps: string[] = [];

	beforeAll(async () => {
		const { n8n, rest, credential } = both;
		const headers = { cookie: rest.cookie };
		const removed = await http.delete(`${n8n.url}/rest/credentials/${credential.id}`, { headers });
		expect(removed.status).toBe(200);
		editor = await Editor.openEmpty(started);
		editor.page.on('console', (message) => {
			if (message.text() === 'a click of the mouse') clicks += 1;
		});
		await editor.page.evaluate(() => {
			const note = ({ isTrusted }: Event) => isTrusted && console.info('a click of the mouse');
			addEventListener('pointerdown', note, true);
		});
		await recording.follow(editor.page);
	});

	afterAll(async () => await editor?.close());

	/** Notes a step for the document, and takes it. */
	async function step(words: string, take: () => Promise<void>): Promise<void> {
		steps.push(words);
		await recording.say(editor.page, words, take);
	}

	const field = (name: string, within?: Locator) => editor.parameter(name, within).locator('input').first();

	/** Goes to a field with the Tab key. */
	async function tabTo(target: Locator): Promise<void> {
		for (let presses = 1; presses <= 8; presses += 1) {
			await editor.page.keyboard.press('Tab');
			if (await target.evaluate((element) => element === document.activeElement))
				return void tabs.push(presses);
		}
		throw new Error('The Tab key does not reach the field');
	}

	/** Opens a From List with a click, and takes what is found by typing. */
	async function pick(name: string, typed: string): Promise<void> {
		const { keyboard } = editor.page;
		const locator = editor.part(`resource-locator-${name}`);
		await editor.part('rlc-input', locator).click();
		const items = editor.part('rlc-item');
		await items.first().waitFor();
		await keyboard.insertText(typed);
		await waitFor(`only ${typed} in the list`, async () => {
			const names = await items.allInnerTexts();
			const isFound = names.length > 0 && names.every((text) => text.toLowerCase().includes(typed));
			return isFound ? true : undefined;
		});
		await keyboard.press('ArrowDown');
		await keyboard.press('Enter');
		await items.first().waitFor({ state: 'hidden' });
	}

	/** Chooses the language where the template alone does not tell it. */
	async function pickLanguage(): Promise<void> {
		const language = editor.parameter('templateLanguage');
		if ((await language.count()) === 0) return;
		await language.locator('input').first().click();
		await editor.page.locator('.el-select-dropdown__item').filter({ visible: true }).first().waitFor();
		await editor.page.keyboard.press('ArrowDown');
		await editor.page.keyboard.press('Enter');
	}

	it(`takes ${CLICKS} clicks of the mouse, and the Tab key`, async () => {
		const { page } = editor;
		const { keyboard } = page;
		const { sandbox } = both;
		await scene(page, 'The node', 'Every operation of the platform is an action of one node.');
		await step('Click _Add first step…_', async () => {
			await editor.part('canvas-plus-button').click();
			await page.getByPlaceholder(/Search nodes/).waitFor();
		});
		await step('Type `customer messaging`, and press Enter', async () => {
			await keyboard.type('customer messaging');
			await page.getByText('Customer Messaging', { exact: true }).waitFor();
			await keyboard.press('Enter');
		});
		await step('Click _Actions_', async () => await page.getByText(/^Actions \(/).click());
		await step('Click _Send template message_', async () => {
			await page.getByText('Send template message').click();
			await editor.panel.waitFor();
		});
		await scene(page, 'The credential', 'A tenant has a domain and a token. n8n tests them when you save.');
		await step('Click _Connect to Customer Messaging_', async () => {
			await editor.panel.getByText('Connect to Customer Messaging').click();
			await editor.part('editCredential-modal').waitFor();
		});
		const dialog = editor.part('editCredential-modal');
		await step(
			'Click _Tenant Domain_, and enter the domain. Press Tab three times, and enter the token',
			async () => {
				await field('tenantDomain', dialog).click();
				await keyboard.insertText(sandbox.url);
				await tabTo(field('accessToken', dialog));
				await keyboard.insertText(sandbox.token);
			},
		);
		await step('Click _Save_. n8n tests the credential, and closes the window', async () => {
			await editor.part('credential-save-button').click();
			await dialog.waitFor({ state: 'hidden' });
		});
		await scene(
			page,
			'The message',
			'Agents and templates are found by name. The variables of the template are fields of the node.',
		);
		await step('Click _Phone Number_, and enter the number', async () => {
			await field('phoneNumber').click();
			await keyboard.insertText('+49 170 0000001');
		});
		await step(
			'Click _Sender (Agent)_, type a part of its name, and press the arrow key and Enter',
			async () => {
				await pick('agentId', 'shop');
			},
		);
		await step('Click _Template_, and choose it in the same way', async () => {
			await pick('templateName', 'welcome');
			await pickLanguage();
		});
		await step(
			'Click the first variable, and fill in all of them. Five Tabs go to the next one',
			async () => {
				const [first, ...others] = [
					['header_text_first_name', 'Mira'],
					['body_first_name', 'Mira'],
					['body_shop_name', 'Sunset Parcels'],
					['button_0_copy_code', 'WELCOME10'],
				] as const;
				await field(first[0]).click();
				await keyboard.insertText(first[1]);
				for (const [name, value] of others) {
					await tabTo(field(name));
					await keyboard.insertText(value);
				}
			},
		);
		await step('Click _Execute step_', async () => await editor.execute('Hi Mira, thank you for joining'));

		const [{ id }] = sandbox.store.conversations.search('Mira').records;
		expect(sandbox.store.conversations.messages(id).at(-1)).toMatchObject({
			contents: [{ template: { name: 'welcome' } }],
		});
		expect({ clicks, tabs }).toEqual({ clicks: CLICKS, tabs: TABS });
		await recording.leave(page);
	});

	it('arrives at the customer', async () => {
		// The page allows no styles but its own; the words of the video have some.
		const page = await newPage(browser, {
			viewport: { width: 1440, height: 900 },
			locale: 'en-GB',
			bypassCSP: true,
		});
		await page.goto(both.sandbox.url);
		await recording.follow(page);
		await scene(page, 'The customer', 'The sandbox shows what the customer reads.');
		const words = 'This is the message, with its button';
		await recording.say(page, words, async () => {
			await page.getByText('Hi Mira, thank you for joining').last().waitFor();
		});
		await recording.leave(page);
		await page.close();
	});

	it('is written in the documents, step by step', () => {
		const text = readFileSync(path.join(EXAMPLES_FOLDER, '../README.md'), 'utf8').replace(/\n {3}/g, ' ');
		const written = [...text.matchAll(/^\d+\. (.+)\.$/gm)].map(([, words]) => words);
		expect(written).toEqual(steps);
		expect(text).toContain(`${CLICKS} clicks and ${TABS.reduce((sum, presses) => sum + presses)} Tabs`);
	});
});

describe('each recipe in the editor', () => {
	let editor: Editor;

	/** The triggers that the button of a recipe with several starts, since n8n chooses one. */
	const STARTS: Record<string, string> = {
		'agent-evaluation': 'Data Set',
		'appointment-confirmation': MANUAL_START,
		'mcp-server': MANUAL_START,
		'opt-out-link': 'Link Was Opened',
		'undelivered-next-morning': 'Undelivered Message',
	};

	const WINDOW = { width: 1920, height: 1300 };

	/** Creates the credentials of all recipes. n8n takes one of the same name for that of an imported node. */
	async function createCredentials(
		isWanted: (type: string) => boolean,
		data: ICredentialDataDecryptedObject,
	) {
		const nodes = exampleNames.flatMap((name) => readExample(name).nodes);
		const all = new Map(nodes.flatMap(({ credentials = {} }) => Object.entries(credentials)));
		for (const [type, { name }] of all)
			if (isWanted(type)) await both.rest.createCredential({ name, type, data });
	}

	async function open(): Promise<void> {
		editor = await Editor.openEmpty(started);
		await editor.page.setViewportSize(WINDOW);
	}

	beforeAll(async () => {
		const { url: tenantDomain, token: accessToken } = both.sandbox;
		await createCredentials((type) => type === CREDENTIAL_TYPE, { tenantDomain, accessToken });
		await open();
	});

	afterAll(async () => await editor?.close());

	/** What lies over a recipe or under it, and is none of it. */
	const COVERING = [
		'.el-notification',
		'[data-test-id^="execute-workflow-button"]',
		'[data-test-id="canvas-controls"]',
		'[data-test-id="canvas-background"]',
	];

	/** What lies on the canvas, in its own measure. */
	async function drawn() {
		return await editor.page.evaluate(() => {
			const pane = document.querySelector('.vue-flow__transformationpane');
			const { a: zoom, e: x, f: y } = new DOMMatrix(getComputedStyle(pane as Element).transform);
			const origin = (document.querySelector('.vue-flow') as Element).getBoundingClientRect();
			const rectangle = (element: Element) => {
				const { left, top, width, height } = element.getBoundingClientRect();
				return {
					left: (left - origin.left - x) / zoom,
					top: (top - origin.top - y) / zoom,
					width: width / zoom,
					height: height / zoom,
				};
			};
			const nodes = [...document.querySelectorAll('.vue-flow__node')].map((node) => {
				const note = node.querySelector('[data-test-id="sticky"]');
				const text = note?.querySelector('[class*="_wrapper_"] > div');
				const label = note ? null : node.querySelector('[class*="_description_"]');
				return {
					name: node.querySelector('[data-node-name]')?.getAttribute('data-node-name') ?? '',
					own: rectangle(note ?? node.querySelector('[data-test-id="canvas-node"]') ?? node),
					label: label && rectangle(label),
					isPinned: node.querySelector('[class*="_pinned_"]') !== null,
					isTextCut: text ? text.scrollHeight > text.clientHeight + 1 : false,
				};
			});
			return { zoom, x: x + origin.left, y: y + origin.top, nodes };
		});
	}

	/** Puts a recipe onto the canvas in place of the one before, and shows all of it. */
	async function importRecipe(name: string, count: number): Promise<void> {
		const { page } = editor;
		await page.keyboard.press('Control+a');
		await page.keyboard.press('Delete');
		await editor.part('canvas-plus-button').waitFor();
		await page
			.locator('[data-test-id="workflow-import-input"]')
			.setInputFiles(path.join(EXAMPLES_FOLDER, `${name}.json`));
		await waitFor(`${name} on the canvas`, async () =>
			(await page.locator('.vue-flow__node').count()) === count ? true : undefined,
		);
		await editor.part('zoom-to-fit').click();
		// An import is selected as a whole.
		await page.locator('.vue-flow__pane').click({ position: { x: 8, y: 8 } });
		let last = '';
		await waitFor('the canvas to rest', async () => {
			const before = last;
			last = JSON.stringify(await drawn());
			return before === last ? true : undefined;
		});
	}

	it('is one click away from its result', async () => {
		const { page } = editor;
		await importRecipe('order-shipped-template', readExample('order-shipped-template').nodes.length);
		await recording.follow(page);
		await scene(
			page,
			'A recipe',
			'The shop sends an order, and the customer hears of it. The recipe is imported from its file.',
		);
		await recording.say(page, 'Click _Execute workflow_. The order is a sample', async () => {
			await editor.part('execute-workflow-button').first().click();
			const node = page.locator('[data-test-id="canvas-node"][data-node-name="Send Template"]');
			await node.locator('[data-test-id="canvas-node-status-success"]').waitFor();
		});
		await recording.leave(page);
	});

	describe('with all of its credentials', () => {
		beforeAll(async () => {
			await createCredentials((type) => type !== CREDENTIAL_TYPE, {});
			await editor.close();
			await open();
		});

		it.each(exampleNames)('%s: imported from its file, everything in its place', async (name) => {
			const { page } = editor;
			const recipe = readExample(name);
			await importRecipe(name, recipe.nodes.length);
			const { zoom, x, y, nodes } = await drawn();

			const sizes = nodes.map(({ name: of, own: { width, height } }) => ({
				...{ of, width: Math.round(width), height: Math.round(height) },
			}));
			const expected = recipe.nodes.map((node) => ({ of: node.name, ...sizeOf(node) }));
			expect(sizes).toEqual(expect.arrayContaining(expected));
			const placeOf = (of: string, { left, top, width, height }: (typeof nodes)[number]['own']): Place => ({
				...{ of, left, top, right: left + width, bottom: top + height },
			});
			const places = nodes.flatMap(({ name: of, own, label }) => [
				placeOf(of, own),
				...(label ? [placeOf(of, label)] : []),
			]);
			expect(overlapsOf(places)).toEqual([]);
			expect(nodes.filter(({ isTextCut }) => isTextCut)).toEqual([]);
			const pinned = nodes.filter(({ isPinned }) => isPinned).map((node) => node.name);
			expect(pinned.sort()).toEqual(Object.keys(recipe.pinData ?? {}).sort());
			const start = STARTS[name];
			if (start) {
				const button = (await editor.part('execute-workflow-button').first().innerText()).split('\nfrom ')[1];
				expect(start.startsWith(button.split('…')[0])).toBe(true);
			}

			// The recipe lies somewhere on the canvas, but as a whole.
			const note = recipe.nodes.find(isNote);
			const shown = nodes.find((node) => node.name === note?.name);
			if (!note || !shown) throw new Error('The recipe has no note');
			const { pixels, ...part } = pictureOf(recipe);
			const clip = {
				x: x + (part.left + shown.own.left - note.position[0]) * zoom,
				y: y + (part.top + shown.own.top - note.position[1]) * zoom,
				width: part.width * zoom,
				height: part.height * zoom,
			};
			expect(clip.x).toBeGreaterThanOrEqual(0);
			expect(clip.y).toBeGreaterThanOrEqual(0);
			expect(clip.x + clip.width).toBeLessThanOrEqual(WINDOW.width);
			expect(clip.y + clip.height).toBeLessThanOrEqual(WINDOW.height);
			const folder = process.env.SCREENSHOTS;
			if (!folder) return;
			await page.mouse.move(0, 0);
			const picture = await page.screenshot({
				clip,
				animations: 'disabled',
				style: `${COVERING.join()} { visibility: hidden; }`,
			});
			await sharp(picture)
				.resize({ ...pixels, fit: 'fill' })
				.png({ palette: true, colours: 64, dither: 0, effort: 10 })
				.toFile(path.resolve(folder, 'recipes', `${name}.png`));
		});
	});
});

describe('the demonstration', () => {
	let folder: string;

	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'recording-'));
	});

	afterAll(async () => await rm(folder, { recursive: true, force: true }));

	it('is a video that a browser plays from its beginning to its end', async () => {
		const file = RECORDING ? path.resolve(RECORDING) : path.join(folder, 'demonstration.webm');
		await recording.stop(file);
		expect((await stat(file)).size).toBeGreaterThan(100_000);
		const page = await newPage(browser);
		const bytes = readFileSync(file).toString('base64');
		const played = await page.evaluate(async (video) => {
			const element = document.createElement('video');
			const happens = async (name: string) =>
				await new Promise((resolve, reject) => {
					element.addEventListener(name, resolve, { once: true });
					element.addEventListener('error', () => reject(new Error(element.error?.message)), { once: true });
				});
			element.src = `data:video/webm;base64,${video}`;
			await happens('loadeddata');
			// What is recorded as it happens has no length in its head.
			element.currentTime = 1e9;
			await happens('seeked');
			return { width: element.videoWidth, height: element.videoHeight, seconds: element.currentTime };
		}, bytes);
		expect(played).toMatchObject({ width: 1440, height: 900 });
		expect(played.seconds).toBeGreaterThan(10);
		await page.close();
	});
});
