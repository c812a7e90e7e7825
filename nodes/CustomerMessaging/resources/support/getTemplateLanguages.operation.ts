import { readWhole } from '../../fields/list';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getTemplateLanguages = operation('GET /support/chatapp-template-languages', {
	fields: [],
	flow: readWhole(),
	output: list,
});
