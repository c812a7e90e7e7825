import { requiredMember, uploadForSending } from '../../files/upload';
import type { ItemContext } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import { readRecord } from '../../transport/records';
import { ValueProblem } from '../../values/conversion';
import { shown } from '../../values/text';
import type { MediaResolver } from './components';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Makes the function that returns the address of a header's file. It returns a URL unchanged. For the UUID of an
 * uploaded file, it returns the temporary URL. For the name of a binary field, it uploads the file as public, because
 * the chat app has to open it.
 *
 * @param labelOf returns the label of the parameter that holds the file
 * @param fromField returns the address of a file in a binary field; it uploads the file by default
 * @throws NodeOperationError when the value is none of these, or when the tenant does not allow the file
 */
export function headerMedia(
	context: ItemContext,
	labelOf: (kind: Parameters<MediaResolver>[0]) => string,
	fromField: MediaResolver = async (kind, fieldName) => {
		const file = await uploadForSending(context, fieldName, { type: kind, public: 1 });
		const link = requiredMember(context, file, 'url');
		return { link, ...(typeof file.name === 'string' && { filename: file.name }) };
	},
): MediaResolver {
	return async (kind, value) => {
		const typed = value.trim();
		if (/^https?:\/\//i.test(typed)) return { link: typed };
		if (UUID.test(typed)) {
			const file = await readRecord(context, 'GET /files/{uuid}/temporary-url', { path: { uuid: typed } });
			return { link: requiredMember(context, file, 'url') };
		}
		if (!Object.hasOwn(context.getInputData().binary ?? {}, typed)) {
			const problem = new ValueProblem(
				`"${shown(typed)}" is not a file`,
				'Enter a URL that anyone can open, the UUID of an uploaded file, or the name of a binary field of the input item.',
			);
			throw fieldError(context, labelOf(kind), problem);
		}
		return await fromField(kind, typed);
	};
}
