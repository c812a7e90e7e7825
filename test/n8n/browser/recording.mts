import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';

import { newPage } from './chromium.mts';

const SIZE = { width: 1440, height: 900 };

/** Of what is said, at the foot of the picture. */
const WORDS = [
	'position: fixed; left: 50%; bottom: 96px; transform: translateX(-50%); max-width: 1100px; padding: 12px 24px',
	'border-radius: 10px; background: rgb(16 24 40 / 88%); color: #fff; font: 500 22px/1.4 system-ui, sans-serif',
	'text-align: center',
].join('; ');

interface Recorder {
	pause(): void;
	resume(): void;
	draw(jpeg: string): Promise<void>;
	stop(): Promise<string>;
}

/** Runs in a window of its own: draws what it gets, and records what it draws. The browser needs no encoder beside its own. */
function beginRecorder({ width, height }: typeof SIZE): void {
	const canvas = Object.assign(document.createElement('canvas'), { width, height });
	const surface = canvas.getContext('2d') as CanvasRenderingContext2D;
	const recorder = new MediaRecorder(canvas.captureStream(), {
		mimeType: 'video/webm;codecs=vp9',
		videoBitsPerSecond: 4_000_000,
	});
	const pieces: Blob[] = [];
	recorder.ondataavailable = ({ data }) => pieces.push(data);
	const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
	const own: Recorder = {
		pause: () => recorder.pause(),
		resume: () => recorder.resume(),
		async draw(jpeg) {
			const picture = await createImageBitmap(new Blob([bytesOf(jpeg)]));
			surface.drawImage(picture, 0, 0, width, height);
		},
		async stop() {
			await new Promise((resolve) => {
				recorder.onstop = resolve;
				recorder.stop();
			});
			const reader = new FileReader();
			await new Promise((resolve) => {
				reader.onload = resolve;
				reader.readAsDataURL(new Blob(pieces));
			});
			return String(reader.result).split(',')[1];
		},
	};
	Object.assign(window, { own });
	recorder.start(1_000);
	recorder.pause();
}

/** A video of what a person would see in the windows of a test, one after another. */
export class Recording {
	private newest: Buffer | undefined;

	private drawn = Promise.resolve();

	private constructor(
		private readonly recorder: Page,
		private readonly pause: number,
		private readonly framesPerSecond: number,
	) {}

	/**
	 * @param pause milliseconds for which everything that is said can be read
	 * @param framesPerSecond few, so that the encoder keeps up on a busy machine too
	 */
	static async start(browser: Browser, pause: number, framesPerSecond: number): Promise<Recording> {
		const recorder = await newPage(browser);
		await recorder.evaluate(beginRecorder, SIZE);
		return new Recording(recorder, pause, framesPerSecond);
	}

	/** Shows a window from now on. */
	async follow({ screencast }: Page): Promise<void> {
		await this.recorder.evaluate(() => (window as unknown as { own: Recorder }).own.resume());
		await screencast.start({
			size: SIZE,
			quality: 90,
			fps: this.framesPerSecond,
			onFrame: ({ data }) => this.draw(data),
		});
		await screencast.showActions({ duration: 200, style: { title: 'display: none' } });
	}

	/** Shows this window no longer, and holds the video until the next one is shown. */
	async leave({ screencast }: Page): Promise<void> {
		await screencast.stop();
		await this.drawn;
		// What the encoder has not encoded by then is lost.
		await this.recorder.waitForTimeout(2_000);
		await this.recorder.evaluate(() => (window as unknown as { own: Recorder }).own.pause());
	}

	/** Puts a title over the window. */
	async title({ screencast }: Page, title: string, description: string): Promise<void> {
		await screencast.showChapter(title, { description, duration: this.pause });
	}

	/** Shows words, of which `_` marks names, while something is done. */
	async say(page: Page, words: string, act: () => Promise<void>): Promise<void> {
		const text = words.replace(/[_`]/g, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
		const shown = await page.screencast.showOverlay(`<div style="${WORDS}">${text}</div>`);
		await act();
		await page.waitForTimeout(this.pause);
		await shown.dispose();
	}

	/** Ends the video, and writes it to a file. */
	async stop(file: string): Promise<void> {
		const video = await this.recorder.evaluate(
			async () => await (window as unknown as { own: Recorder }).own.stop(),
		);
		await this.recorder.close();
		await writeFile(file, Buffer.from(video, 'base64'));
	}

	/** Draws the newest picture. One that came meanwhile is left out, so that the video keeps the time. */
	private draw(jpeg: Buffer): void {
		const isDrawing = this.newest !== undefined;
		this.newest = jpeg;
		if (!isDrawing) this.drawn = this.drawNewest();
	}

	private async drawNewest(): Promise<void> {
		for (let shown: Buffer | undefined; this.newest !== shown; ) {
			shown = this.newest;
			await this.recorder.evaluate(
				async (picture) => await (window as unknown as { own: Recorder }).own.draw(picture),
				shown?.toString('base64') ?? '',
			);
		}
		this.newest = undefined;
	}
}
