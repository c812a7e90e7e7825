import { howMany, readPages } from '../../fields/list';
import { mediaItem } from '../../fields/locators';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const getTags = operation('GET /media/{mediaId}/tags', {
	fields: [pathField('mediaId', mediaItem), ...howMany],
	flow: readPages(),
	output: list,
});
