import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';

import type { TenantAndN8n } from '../e2e/tenantAndN8n';
import { waitFor } from '../n8n/waitFor';
import type { WorkflowDefinition } from '../n8n/workflow';

/** Milliseconds that the editor gets for one reaction, on a machine that has other things to do. */
const REACTION = 20_000;

/** A workflow in n8n's editor, as a person meets it. */
export class Editor {
	private constructor(readonly page: Page) {}

	/** Creates a workflow and opens it, logged in as the owner. */
	static async open(
		browser: Browser,
		{ rest, n8n }: TenantAndN8n,
		workflow: WorkflowDefinition,
	): Promise<Editor> {
		const { id } = await rest.createWorkflow(workflow);
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
		page.setDefaultTimeout(REACTION);
		page.on('dialog', (dialog) => void dialog.accept());
		const [name, value] = rest.cookie.split('=');
		await page.context().addCookies([{ name, value, url: n8n.url }]);
		await page.goto(`${n8n.url}/workflow/${id}`);
		const editor = new Editor(page);
		await editor.part('canvas-node').first().waitFor();
		return editor;
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

	async closeNode(): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.panel.waitFor({ state: 'hidden' });
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
		const found = await waitFor(
			`a list of ${name} with only what matches ${typed}`,
			async () => {
				const names = await items.allInnerTexts();
				return names.length > 0 && names.every((text) => text.toLowerCase().includes(typed.toLowerCase()))
					? names
					: undefined;
			},
			{ within: REACTION },
		);
		await items.filter({ hasText: shown }).first().click();
		const input = locator.locator('input').last();
		await this.comesTrue(`${name} to be ${shown}`, async () => (await input.inputValue()).includes(shown));
		return found;
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

	async close(): Promise<void> {
		await this.page.context().close();
	}

	private async chooseItem(option: string): Promise<string[]> {
		const items = this.page.locator('.el-select-dropdown__item').filter({ visible: true });
		// The editor may draw the list anew between two looks at it.
		const names = await waitFor(
			`${option} among what can be chosen`,
			async () => {
				const seen = (await items.allInnerTexts()).map((text) => text.split('\n')[0].trim());
				return seen.includes(option) ? seen : undefined;
			},
			{ within: REACTION },
		);
		await items
			.filter({ has: this.page.getByText(option, { exact: true }) })
			.first()
			.click();
		return names;
	}

	private async comesTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
		await waitFor(what, async () => ((await isTrue()) ? true : undefined), { within: REACTION });
	}
}
