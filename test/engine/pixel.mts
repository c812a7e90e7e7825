/** A picture of one pixel. */
export const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

/** The same as the binary data of an item. */
export const pixelBinary = { data: PIXEL.toString('base64'), mimeType: 'image/png', fileName: 'dot.png' };
