import type { Body } from '../contract/endpoints';

/** The types of messages that carry a file. */
export const MEDIA_TYPES = ['audio', 'document', 'image', 'video'] as const satisfies Array<
	Body<'POST /files/temporary-upload'>['type']
>;

/** The types that the interface shows members of; tenants may have more. */
export const MESSAGE_TYPES = ['audio', 'contact', 'document', 'image', 'location', 'text', 'video'] as const;

/** A type whose messages carry a file. */
export type MediaType = (typeof MEDIA_TYPES)[number];

export const isMediaType = (type: unknown): type is MediaType => MEDIA_TYPES.some((one) => one === type);
