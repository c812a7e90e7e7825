/** The types of messages that carry a file. */
export const MEDIA_TYPES = ['audio', 'document', 'image', 'video'];

/** The types that the interface shows members of; tenants may have more. */
export const MESSAGE_TYPES = ['audio', 'contact', 'document', 'image', 'location', 'text', 'video'];
