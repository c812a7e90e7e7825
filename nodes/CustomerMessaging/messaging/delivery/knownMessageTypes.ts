import type { Body } from '../../contract/endpoints';

/** The message types that contain a file. */
export const MEDIA_TYPES = ['audio', 'document', 'image', 'video'] as const satisfies Array<
	Body<'POST /files/temporary-upload'>['type']
>;

/** The message types whose members the interface documents. Tenants may have more. */
export const MESSAGE_TYPES = ['audio', 'contact', 'document', 'image', 'location', 'text', 'video'] as const;

/** A message type that contains a file. */
type MediaType = (typeof MEDIA_TYPES)[number];

/** Whether messages of a type contain a file. */
export const isMediaType = (type: unknown): type is MediaType => MEDIA_TYPES.some((one) => one === type);
