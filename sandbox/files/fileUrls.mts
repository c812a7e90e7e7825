import { createHmac, timingSafeEqual } from 'node:crypto';
import { TEMPORARY_URL_DAYS } from '../choices.mts';
import { DAY } from '../clock.mts';
import type { components } from '../contract.types.mts';
import type { StoredFile } from '../resources/file.mts';
import type { Store } from '../store/store.mts';

/** A stored file as the interface answers it. */
export type RenderedFile = components['schemas']['TemporaryFile'];

const sign = (store: Store, uuid: string, expires: number): string =>
	createHmac('sha256', store.signingKey).update(`${uuid}.${expires}`).digest('hex');

/** An address that anyone can fetch the file from for 7 days. */
export function signedUrl(store: Store, { uuid, name }: StoredFile, origin: string): string {
	const expires = Math.floor((store.clock.now() + TEMPORARY_URL_DAYS * DAY) / 1000);
	const query = `expires=${expires}&signature=${sign(store, uuid, expires)}`;
	return `${origin}/files/temporary/${uuid}/${encodeURIComponent(name)}?${query}`;
}

/** An address that anyone can fetch the file from as long as it exists. */
export const publicUrl = ({ uuid, name }: StoredFile, origin: string): string =>
	`${origin}/files/public/${uuid}/${encodeURIComponent(name)}`;

/** Whether a temporary address is genuine and its time is not over. */
export function isSignatureValid(store: Store, uuid: string, expires: number, signature: string): boolean {
	const expected = Buffer.from(sign(store, uuid, expires));
	const given = Buffer.from(signature);
	return (
		given.length === expected.length && timingSafeEqual(given, expected) && store.clock.now() < expires * 1000
	);
}

export const renderFile = (store: Store, file: StoredFile, origin: string): RenderedFile => ({
	internal_uuid: file.uuid,
	public: file.public,
	url: file.public ? publicUrl(file, origin) : signedUrl(store, file, origin),
	name: file.name,
	type: file.type,
	mime_type: file.mime_type,
	size: file.size,
});
