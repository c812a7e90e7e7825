import {
	ALLOWED_MIME_TYPES,
	type FileKind,
	MEDIA_SIZE_LIMITS,
	MEGABYTE,
	MESSAGE_TYPES,
} from '../choices.mts';
import type { components } from '../contract.types.mts';
import { fileTooLarge, invalid } from '../refusal.mts';
import type { Store } from '../store/store.mts';

type MessageBody = components['schemas']['MessageCreate'];
type MessageType = keyof typeof MESSAGE_TYPES;

const isMessageType = (type: string): type is MessageType => Object.hasOwn(MESSAGE_TYPES, type);

function isHttpUrl(text: string): boolean {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	return url?.protocol === 'https:' || url?.protocol === 'http:';
}

/** The file of a media message: an uploaded one of the same kind and within the limits, or any address. */
function readFile(store: Store, kind: FileKind, { file }: MessageBody): Record<string, unknown> {
	if (file?.internal_uuid !== undefined) {
		const stored = store.files.find(file.internal_uuid);
		if (!stored) throw invalid({ 'file.internal_uuid': ['No uploaded file has this UUID.'] });
		if (!ALLOWED_MIME_TYPES[kind].includes(stored.mime_type)) {
			throw invalid({
				'file.internal_uuid': [`A file of type ${stored.mime_type} cannot be sent as ${kind}.`],
			});
		}
		const limit = MEDIA_SIZE_LIMITS.regular_mb[kind];
		if (stored.size > limit * MEGABYTE) throw fileTooLarge(kind, limit);
		const { uuid, name, mime_type, size } = stored;
		return { internal_uuid: uuid, name, mime_type, size };
	}
	if (file?.url === undefined) {
		throw invalid({ file: [`A message of type ${kind} needs a file with internal_uuid or url.`] });
	}
	if (!isHttpUrl(file.url)) throw invalid({ 'file.url': ['The address must be an http or https URL.'] });
	return { url: file.url };
}

/**
 * The contents of a message from the request that sends it.
 * @throws 422 for an unknown type or when the part that the type needs is missing; 413 for a file that is too large.
 */
export function readContents(store: Store, body: MessageBody): Array<Record<string, unknown>> {
	const { type } = body;
	if (type === undefined || !isMessageType(type)) {
		throw invalid({ type: [`The type must be one of ${Object.keys(MESSAGE_TYPES).join(', ')}.`] });
	}
	switch (type) {
		case 'text': {
			const content = body.text?.content ?? '';
			if (content === '') throw invalid({ 'text.content': ['A text message needs a content.'] });
			return [{ type, text: { content } }];
		}
		case 'location': {
			const { latitude, longitude } = body.location ?? {};
			if (latitude === undefined || longitude === undefined) {
				throw invalid({ location: ['A location needs a latitude and a longitude.'] });
			}
			return [{ type, location: body.location }];
		}
		case 'contact':
			if ((body.contact?.name?.formatted_name ?? '') === '') {
				throw invalid({ 'contact.name.formatted_name': ['A contact needs a name.'] });
			}
			return [{ type, contact: body.contact }];
		default:
			return [{ type, [type]: body[type] ?? {}, file: readFile(store, type, body) }];
	}
}
