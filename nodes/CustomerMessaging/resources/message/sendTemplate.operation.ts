import { consentGuard } from '../../messaging/consentGuard';
import { allowLoop, fromAutomation, loopNotice, skipSent } from '../../messaging/messageOptions';
import { placeholders, placeholdersJson } from '../../messaging/placeholders';
import { sendingSettings, sendMessage } from '../../messaging/sendMessage';
import { record } from '../../outputs/outputs';
import { simpleMessageFields, simplified, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { collection } from '../../runner/field';
import { flow } from '../../runner/operation';
import { recipient, templateFields } from './templateFields';
import { assignments } from './templateOptions';
import { completeTemplate, contentSettings, skippedTemplate, type Template } from './templateSending';

const settings = [recipient, ...sendingSettings, ...contentSettings] as const;

/** Sends the template. It first checks and uploads a file for the header. */
const sendOne = flow<(typeof settings)[number], Template>(settings, async (item) => {
	const { context, request, read } = item;
	return await sendMessage(item, {
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
			[allowLoop, ...assignments, fromAutomation, placeholders, placeholdersJson, skipSent, consentGuard],
		),
		loopNotice,
	],
	flow: sendOne,
	output: simplified(record, simpleMessageFields),
});
