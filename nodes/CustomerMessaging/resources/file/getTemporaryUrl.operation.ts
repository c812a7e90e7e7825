import { uploadedFile } from '../../files/fileFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const getTemporaryUrl = operation('GET /files/{uuid}/temporary-url', {
	fields: [pathField('uuid', uploadedFile)],
	output: record,
});
