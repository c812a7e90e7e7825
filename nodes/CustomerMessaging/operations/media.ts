import type { Body } from '../contract/endpoints';
import {
	additionalFields,
	bodyField,
	clearable,
	options,
	setting,
	shownWhile,
	updateFields,
} from '../core/field';
import { pages } from '../fields/list';
import { plainWrite } from '../sets/idSets';
import { binaryField, fileKind, uploadedFile, uploadKind } from '../files/fileFields';
import { wholeSet } from '../core/outputs';
import { emptyCells, ifEmpty } from '../core/emptyValues';
import type { Run } from '../core/operation';
import { choice } from '../values/choices';
import { ownMember } from '../values/json';
import { text, textOrNothing, trimmedText } from '../values/text';
import { kindOfFile, requiredMember, uploadBinary } from '../files/upload';
import { addTags, syncTags } from '../sets/tags';
import { separator, tagSet } from '../fields/sets';
import { operation, resource } from './resource';

const source = setting(
	'source',
	...choice(
		{
			binary: ['Binary Field', 'A file of the input item. It is uploaded first.'],
			uploadedFile: 'A file that was uploaded before',
		},
		'binary',
	),
);

const fileUuid = bodyField('internal_uuid', uploadedFile.parse, uploadedFile.parameter);

const description = bodyField('description', text, {
	placeholder: 'e.g. Header of shipping messages',
});

const filename = bodyField('filename', text, {
	displayName: 'File Name',
	placeholder: 'e.g. parcel.jpg',
});

const title = bodyField('title', trimmedText, {
	placeholder: 'e.g. Parcel',
});

/** Creates the media item. If the source is a binary field, it uploads the file first. */
const createMedia: Run<typeof source | typeof binaryField | typeof uploadKind, Body<'POST /media'>> = async (
	item,
) => {
	const { api, context, request } = item;
	if (item.get(source) === 'uploadedFile') return item.output((await api.send(request)).content);
	const { filename: name, ...others } = request.body;
	const field = item.get(binaryField);
	const type = kindOfFile(context, field, item.get(uploadKind));
	const uploaded = await uploadBinary(context, field, { type }, request.labels);
	const body = {
		...others,
		type,
		internal_uuid: requiredMember(context, uploaded, 'internal_uuid'),
		filename: name ?? textOrNothing(ownMember(uploaded, 'name')),
	};
	const { content } = await api.send({ ...request, body });
	return item.output(content);
};

export const mediaResource = resource(
	'media',
	{
		addTags: operation(
			'POST /media/{mediaId}/tags',
			'Attach tags to a media item and keep those already attached',
			{ fields: [...tagSet, options(separator)], run: addTags, output: wholeSet },
		),
		create: operation('POST /media', 'Add a file to the media library', {
			fields: [
				source,
				...shownWhile('source', ['uploadedFile'], [fileUuid, fileKind]),
				...shownWhile('source', ['binary'], [binaryField, uploadKind]),
				additionalFields(description, filename, title),
			],
			run: createMedia,
		}),
		delete: operation('DELETE /media/{id}', 'Delete an item of the media library'),
		get: operation('GET /media/{id}', 'Get one item of the media library by ID'),
		getAll: operation('GET /media', 'Retrieve a list of the items in the media library', pages),
		getTags: operation('GET /media/{mediaId}/tags', 'Get the tags attached to a media item', pages),
		removeTag: operation('DELETE /media/{mediaId}/tags/{tagId}', 'Detach one tag from a media item', {
			run: plainWrite,
			output: wholeSet,
		}),
		setTags: operation(
			'POST /media/{mediaId}/tags',
			'Attach exactly the given tags to a media item and detach all others. To keep them, use Add Tags.',
			{ fields: [...tagSet, ifEmpty, options(separator)], run: syncTags, output: wholeSet },
		),
		update: operation('PATCH /media/{id}', 'Change title, description or file name of a media item', {
			fields: [updateFields(clearable(description), filename, clearable(title)), options(emptyCells)],
		}),
	},
	{ one: 'media item' },
);
