import { rename, stat } from 'node:fs/promises';
import sharp from 'sharp';
import { MAX_IMAGE_SIDE } from '../choices.mts';

/**
 * Shrinks an image file in place to at most 1500 px on each side, in proportion. A smaller one stays as it is, to the
 * byte.
 * @returns its size in bytes afterwards, or undefined when the file is no image that can be read.
 */
export async function shrinkImage(path: string): Promise<number | undefined> {
	try {
		const { width = 0, height = 0, pages = 1 } = await sharp(path, { animated: true }).metadata();
		const pageHeight = height / pages;
		if (width > MAX_IMAGE_SIDE || pageHeight > MAX_IMAGE_SIDE) {
			const smaller = `${path}.smaller`;
			await sharp(path)
				.autoOrient()
				.resize({ width: MAX_IMAGE_SIDE, height: MAX_IMAGE_SIDE, fit: 'inside' })
				.toFile(smaller);
			await rename(smaller, path);
		}
		return (await stat(path)).size;
	} catch {
		return undefined;
	}
}
