import { readWhole } from '../../fields/list';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getActivityTypes = operation('GET /support/activity-types', {
	fields: [],
	flow: readWhole(),
	output: list,
});
