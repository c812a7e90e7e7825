import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getTemplateLanguages = operation('GET /support/chatapp-template-languages', {
	fields: [],
	output: list,
});
