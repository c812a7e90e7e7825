import { consentGuard } from '../../messaging/consentGuard';
import { allowLoop, fromAutomation, loopNotice } from '../../messaging/messageOptions';
import { onceKeyOf, sendOnce } from '../../messaging/delivery/sendOnce';
import { ifUndelivered, whenUndelivered } from '../../messaging/delivery/undelivered';
import { placeholders } from '../../messaging/placeholders';
import { sendMessage } from '../../messaging/sendMessage';
import { record } from '../../outputs/outputs';
import { simplifiedMessage, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { collection } from '../../runner/field';
import { flow } from '../../runner/operation';
import { recipient, templateFields } from './templateFields';
import { assignments } from './templateOptions';
import {
	completeTemplate,
	contentSettings,
	ofTemplate,
	skippedTemplate,
	type Template,
} from './templateSending';

const settings = [recipient, allowLoop, sendOnce, ifUndelivered, ...contentSettings] as const;

/** Sends the template. It first checks and uploads a file for the header. */
const sendOne = flow<(typeof settings)[number], Template>(settings, async (given) => {
	const item = ofTemplate(given);
	const { context, request, read } = item;
	return await sendMessage(item, {
		onceKey: onceKeyOf(item),
		answered: whenUndelivered(item),
		skipped: async () => await skippedTemplate(context, request.body, read),
		complete: async (body) => await completeTemplate(context, body, read),
	});
});

export const sendTemplate = operation('POST /chatapp/send-template', {
	fields: [
		...templateFields,
		...simplify,
		collection(
			{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
			[allowLoop, ...assignments, fromAutomation, ifUndelivered, placeholders, sendOnce, consentGuard],
		),
		loopNotice,
	],
	flow: sendOne,
	output: simplifiedMessage(record),
});
