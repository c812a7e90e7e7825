import { NodeOperationError } from 'n8n-workflow';

import { uploadForSending } from '../files/upload';
import type { ItemContext } from '../runner/field';
import { ask } from '../transport/ask';
import type { MediaResolver } from './templateComponents';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Makes the function that returns the address of a header's file. It returns a URL unchanged. For the UUID of an
 * uploaded file, it returns the temporary URL. For the name of a binary field, it uploads the file as public, because
 * the chat app has to open it.
 *
 * @throws NodeOperationError when the value is none of these, or when the tenant does not allow the file
 */
export function headerMedia(context: ItemContext): MediaResolver {
	return async (kind, value) => {
		const typed = value.trim();
		if (/^https?:\/\//i.test(typed)) return { link: typed };
		if (UUID.test(typed)) {
			const { url } = await ask(context, 'GET /files/{uuid}/temporary-url', { path: { uuid: typed } });
			return { link: String(url) };
		}
		if (!(typed in (context.getInputData().binary ?? {}))) {
			throw new NodeOperationError(context.getNode(), `The header's ${kind} "${typed}" is not a file`, {
				itemIndex: context.getItemIndex(),
				description:
					'Enter a URL that anyone can open, the UUID of an uploaded file, or the name of a binary field of the input item.',
			});
		}
		const { url, name } = await uploadForSending(context, typed, { type: kind, public: 1 });
		return { link: String(url), filename: String(name) };
	};
}
