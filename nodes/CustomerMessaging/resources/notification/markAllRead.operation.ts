import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const markAllRead = operation('POST /me/notifications/read', {
	fields: [],
	output: list,
});
