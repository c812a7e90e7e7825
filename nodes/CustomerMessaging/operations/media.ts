import type { Body } from '../contract/endpoints';
import {
	additionalFields,
	bodyField,
	clearable,
	options,
	pathField,
	setting,
	shownAs,
	updateFields,
} from '../core/field';
import { howMany, pages } from '../fields/list';
import { mediaItem, tag } from '../fields/locators';
import { plainWrite } from '../sets/idSets';
import { binaryField, fileKind, uploadedFile } from '../files/fileFields';
import { deleted, setOf } from '../core/outputs';
import { operation } from '../core/declare';
import { emptyCells, ifEmpty } from '../core/emptyValues';
import type { Run } from '../core/operation';
import { choice } from '../values/choices';
import { ownMember } from '../values/json';
import { text, textOrNothing, trimmedText } from '../values/text';
import { requiredMember, uploadBinary } from '../files/upload';
import { addTags, syncTags } from '../sets/tags';
import { separator, tagSet } from '../fields/sets';
import { resource } from './resource';

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

const fileUuid = shownAs(bodyField('internal_uuid', uploadedFile.parse, uploadedFile.parameter), {
	displayOptions: { show: { source: ['uploadedFile'] } },
});

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
const createMedia: Run<typeof source | typeof binaryField, Body<'POST /media'>> = async (item) => {
	const { api, context, request } = item;
	if (item.get(source) === 'uploadedFile') return item.output((await api.send(request)).content);
	const { type, filename: name, ...others } = request.body;
	const uploaded = await uploadBinary(context, item.get(binaryField), { type }, request.labels);
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
	{ name: 'Media', one: 'media item', default: 'getAll' },
	{
		addTags: operation('POST /media/{mediaId}/tags', {
			description: 'Attach tags to a media item and keep those already attached',
			fields: [pathField('mediaId', mediaItem), ...tagSet, options(separator)],
			run: addTags,
			output: setOf('media_id', 'tags'),
		}),
		create: operation('POST /media', {
			description: 'Add a file to the media library',
			fields: [
				source,
				fileUuid,
				shownAs(binaryField, { displayOptions: { show: { source: ['binary'] } } }),
				fileKind,
				additionalFields(description, filename, title),
			],
			run: createMedia,
		}),
		delete: operation('DELETE /media/{id}', {
			description: 'Delete an item of the media library',
			fields: [pathField('id', mediaItem)],
			output: deleted,
		}),
		get: operation('GET /media/{id}', {
			description: 'Get one item of the media library by ID',
			fields: [pathField('id', mediaItem)],
		}),
		getAll: operation('GET /media', {
			description: 'Retrieve a list of the items in the media library',
			fields: howMany,
			...pages,
		}),
		getTags: operation('GET /media/{mediaId}/tags', {
			description: 'Get the tags attached to a media item',
			fields: [pathField('mediaId', mediaItem), ...howMany],
			...pages,
		}),
		removeTag: operation('DELETE /media/{mediaId}/tags/{tagId}', {
			description: 'Detach one tag from a media item',
			fields: [pathField('mediaId', mediaItem), pathField('tagId', tag)],
			run: plainWrite,
			output: setOf('media_id', 'tags'),
		}),
		setTags: operation('POST /media/{mediaId}/tags', {
			description:
				'Attach exactly the given tags to a media item and detach all others. To keep them, use Add Tags.',
			fields: [pathField('mediaId', mediaItem), ...tagSet, ifEmpty, options(separator)],
			run: syncTags,
			output: setOf('media_id', 'tags'),
		}),
		update: operation('PATCH /media/{id}', {
			description: 'Change title, description or file name of a media item',
			fields: [
				pathField('id', mediaItem),
				updateFields(clearable(description), filename, clearable(title)),
				options(emptyCells),
			],
		}),
	},
);
