import path from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

import { type TenantAndN8n, tenantAndN8nInThisFile } from '../e2e/tenantAndN8n.mts';
import { owner, temporarySecrets } from '../settings.mts';
import { waitFor } from '../waitFor.mts';
import type { WorkflowDefinition } from '../workflow.mts';
import { launchChromium, newContext } from './chromium.mts';

/** n8n's editor as it runs in a file. */
export interface EditorInFile {
	both: TenantAndN8n;
	browser: Browser;
	/** Whose windows share what the browser keeps of the editor's files. */
	context: BrowserContext;
}

/** Starts a tenant, n8n and a browser before the tests of a file, and stops them after them. */
export function editorInThisFile(take: (started: EditorInFile) => unknown): void {
	let browser: Browser | undefined;
	afterAll(async () => await browser?.close());
	tenantAndN8nInThisFile(
		async (both) => {
			browser = await launchChromium();
			const context = await newContext(browser, {
				viewport: { width: 1440, height: 900 },
				locale: 'en-GB',
			});
			await take({ both, browser, context });
		},
		{ hasEditor: true },
	);
}

/** A workflow in n8n's editor, as a person meets it. */
export class Editor {
	private constructor(readonly page: Page) {}

	/** Creates a workflow and opens it, logged in as the owner, in the window of the test before if it left one. */
	static async open(started: EditorInFile, workflow: WorkflowDefinition): Promise<Editor> {
		const { rest, n8n } = started.both;
		const { id } = await rest.createWorkflow(workflow);
		const editor = await Editor.loggedIn(started);
		if (editor.page.url().startsWith(n8n.url)) await editor.follow(`/workflow/${id}`);
		else await editor.goTo(`${n8n.url}/workflow/${id}`);
		return editor;
	}

	/** Opens an empty canvas, logged in as the owner. */
	static async openEmpty(started: EditorInFile): Promise<Editor> {
		const editor = await Editor.loggedIn(started);
		await editor.page.goto(`${started.both.n8n.url}/workflow/new`);
		await editor.part('canvas-plus-button').waitFor();
		return editor;
	}

	/** Creates a workflow and opens it through n8n's own sign-in page. */
	static async signIn({ both, context }: EditorInFile, workflow: WorkflowDefinition): Promise<Editor> {
		const { rest, n8n } = both;
		const { id } = await rest.createWorkflow(workflow);
		await context.clearCookies();
		const editor = await Editor.newWindow(context);
		const { page } = editor;
		await page.goto(`${n8n.url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(owner.email);
		await page.locator('input[type=password]').fill(temporarySecrets().ownerPassword);
		await editor.part('form-submit-button').click();
		await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
		await editor.goTo(`${n8n.url}/workflow/${id}`);
		return editor;
	}

	private static async loggedIn({ both, context }: EditorInFile): Promise<Editor> {
		const [name, value] = both.rest.cookie.split('=');
		await context.addCookies([{ name, value, url: both.n8n.url }]);
		return await Editor.newWindow(context);
	}

	private static async newWindow(context: BrowserContext): Promise<Editor> {
		const [left] = context.pages();
		if (left) return new Editor(left);
		const page = await context.newPage();
		page.on('dialog', (dialog) => void dialog.accept());
		return new Editor(page);
	}

	private async goTo(workflowUrl: string): Promise<void> {
		await this.page.goto(workflowUrl);
		await this.part('canvas-node').first().waitFor();
	}

	/** Goes to the list of workflows and from there to one, as by links: the editor does not load its programs again. */
	private async follow(workflowPath: string): Promise<void> {
		const { page } = this;
		const list = this.part('resources-list-wrapper');
		const isUnsaved = page.getByRole('button', { name: 'Leave without saving' });
		const link = async (target: string) =>
			await page.evaluate((to) => {
				history.pushState(null, '', to);
				dispatchEvent(new PopStateEvent('popstate', { state: null }));
			}, target);
		await link('/home/workflows');
		await list.or(isUnsaved).first().waitFor();
		if (await isUnsaved.isVisible()) await isUnsaved.click();
		await list.waitFor();
		await link(workflowPath);
		await this.part('canvas-node').first().waitFor();
	}

	/** What the editor calls by that test id, as far as it can be seen. */
	part(id: string, within: Page | Locator = this.page): Locator {
		return within.locator(`[data-test-id="${id}"]`).filter({ visible: true });
	}

	/** The panel of the open node. */
	get panel(): Locator {
		return this.part('ndv');
	}

	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.panel.waitFor();
	}

	/** A parameter of the open node or credential, by its name. */
	parameter(name: string, within: Page | Locator = this.page): Locator {
		return this.part(`parameter-input-${name}`, within).first();
	}

	/** Chooses from an option list. @returns the names of all options */
	async choose(name: string, option: string): Promise<string[]> {
		const input = this.parameter(name).locator('input').first();
		await input.click();
		const names = await this.chooseItem(option);
		await this.comesTrue(`${name} to be ${option}`, async () => (await input.inputValue()).includes(option));
		return names;
	}

	/** Adds an option to a collection. @returns the names of all options that could be added */
	async addOption(option: string, button = 'Add option'): Promise<string[]> {
		await this.page.getByPlaceholder(button, { exact: true }).click();
		return await this.chooseItem(option);
	}

	/** Adds a row to a parameter that has rows, by the text of its button. */
	async addRow(button: string): Promise<void> {
		await this.panel.getByRole('button', { name: button, exact: true }).click();
	}

	async switch(name: string): Promise<void> {
		await this.parameter(name).locator('.el-switch').click();
	}

	async fill(name: string, value: string, within?: Locator): Promise<void> {
		await this.parameter(name, within).locator('input, textarea').first().fill(value);
	}

	/** Chooses a record From List, by typing a part of it. @returns what the list shows then */
	async chooseFromList(name: string, typed: string, shown = typed): Promise<string[]> {
		const locator = this.part(`resource-locator-${name}`);
		await this.part('rlc-input', locator).click();
		const items = this.part('rlc-item');
		await items.first().waitFor();
		await this.part('rlc-search').fill(typed);
		const found = await waitFor(`a list of ${name} with only what matches ${typed}`, async () => {
			const names = await items.allInnerTexts();
			return names.length > 0 && names.every((text) => text.toLowerCase().includes(typed.toLowerCase()))
				? names
				: undefined;
		});
		await items.filter({ hasText: shown }).first().click();
		const input = locator.locator('input').last();
		await this.comesTrue(`${name} to be ${shown}`, async () => (await input.inputValue()).includes(shown));
		return found;
	}

	/**
	 * Opens a From List if it is not open, and types into it.
	 *
	 * @param wanted what the first entry is to contain then
	 * @returns what the list shows
	 */
	async search(name: string, typed: string, wanted: string): Promise<string[]> {
		const items = this.part('rlc-item');
		if ((await this.part('rlc-search').count()) === 0) {
			await this.part('rlc-input', this.part(`resource-locator-${name}`)).click();
			await items.first().waitFor();
		}
		await this.part('rlc-search').fill(typed);
		return await waitFor(`a list of ${name} that begins with ${wanted}`, async () => {
			const seen = await items.allInnerTexts();
			return seen.at(0)?.includes(wanted) ? seen : undefined;
		});
	}

	/** Chooses what a search has shown. */
	async chooseSearched(name: string, shown: string): Promise<void> {
		await this.part('rlc-item').filter({ hasText: shown }).first().click();
		const input = this.part(`resource-locator-${name}`).locator('input').last();
		await this.comesTrue(`${name} to be ${shown}`, async () => (await input.inputValue()).includes(shown));
	}

	/** Fetches the input of the open node by executing the nodes before it. */
	async executePrevious(): Promise<void> {
		await this.part('execute-previous-node').click();
		await this.part('run-data-schema-item', this.part('ndv-input-panel')).first().waitFor();
	}

	/** Drags a field of the input onto a parameter, lets go once that lights up, and waits until it has it. */
	async map(field: string, name: string): Promise<void> {
		const { page } = this;
		const source = this.part('run-data-schema-item', this.part('ndv-input-panel'))
			.getByText(field, { exact: true })
			.first();
		const target = this.parameter(name);
		await target.scrollIntoViewIfNeeded();
		await source.hover();
		await page.mouse.down();
		// The result of the field before shows below it a little later, and moves this one down under the hand.
		await this.comesTrue(`${name} to light up`, async () => {
			const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
			await page.mouse.move(x + width / 2, y + height / 2, { steps: 10 });
			return await target.evaluate((element) => element.classList.contains('activeDrop'));
		});
		await page.mouse.up();
		await target.getByText(`$json.${field}`).waitFor();
	}

	/** Executes the open node and waits until its output has this text in it. */
	async execute(expected: string | RegExp): Promise<void> {
		await this.part('node-execute-button').first().click();
		await this.outputShows(expected);
	}

	async outputShows(expected: string | RegExp): Promise<void> {
		await this.part('output-panel').filter({ hasText: expected }).waitFor();
	}

	/** Opens the credential of the open node. */
	async openCredential(): Promise<Locator> {
		await this.part('credential-edit-button').first().click();
		const dialog = this.part('editCredential-modal');
		await dialog.waitFor();
		return dialog;
	}

	/** Shows the editor as somebody sees it whose system is dark, or light again. */
	async wear(colorScheme: 'dark' | 'light'): Promise<void> {
		await this.page.emulateMedia({ colorScheme });
		await this.comesTrue(
			`the editor to be ${colorScheme}`,
			async () => (await this.isDark()) === (colorScheme === 'dark'),
		);
	}

	/** Whether light text stands on dark ground in the panel of the open node. */
	private async isDark(): Promise<boolean> {
		const color = await this.panel.evaluate((panel) => getComputedStyle(panel).color);
		const [red, green, blue] = (color.match(/[\d.]+/g) ?? []).map(Number);
		return (red + green + blue) / 3 > 128;
	}

	/** Begins a new credential for the open node. */
	async newCredential(): Promise<Locator> {
		await this.part('node-credentials-select').first().click();
		await this.part('node-credentials-select-item-new').click();
		const dialog = this.part('editCredential-modal');
		await dialog.waitFor();
		return dialog;
	}

	/** Keeps a picture of the window, without passing messages, where SCREENSHOTS names a folder for them. */
	async screenshot(name: string): Promise<void> {
		const folder = process.env.SCREENSHOTS;
		if (!folder) return;
		await this.page.mouse.move(0, 0);
		await this.page.screenshot({
			path: path.resolve(folder, `${name}.png`),
			animations: 'disabled',
			style: '.el-notification { display: none; }',
		});
	}

	/** Closes the window, and forgets what the editor noted in the browser. */
	async close(): Promise<void> {
		if (this.page.isClosed()) return;
		await this.forget();
		await this.page.close();
	}

	/** Leaves the window to the next test. The dialog of a credential would stay open in it. */
	async leave(): Promise<void> {
		if ((await this.part('editCredential-modal').count()) > 0) await this.close();
		else await this.forget();
	}

	private async forget(): Promise<void> {
		await this.page.evaluate(() => localStorage.clear());
	}

	private async chooseItem(option: string): Promise<string[]> {
		const items = this.page.locator('.el-select-dropdown__item').filter({ visible: true });
		// The editor may draw the list anew between two looks at it.
		const names = await waitFor(`${option} among what can be chosen`, async () => {
			const seen = (await items.allInnerTexts()).map((text) => text.split('\n')[0].trim());
			return seen.includes(option) ? seen : undefined;
		});
		await items
			.filter({ has: this.page.getByText(option, { exact: true }) })
			.first()
			.click();
		return names;
	}

	private async comesTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
		await waitFor(what, async () => ((await isTrue()) ? true : undefined));
	}
}
