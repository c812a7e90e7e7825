import { ifUndelivered, whenUndelivered } from '../../messaging/delivery/undelivered';
import { sendMessage } from '../../messaging/delivery/sendMessage';
import { consentGuard, withoutConsent } from '../../messaging/guards/consentGuard';
import { allowLoop, fromAutomation, loopNotice } from '../../messaging/guards/loopGuard';
import { onceKeyOf, sendOnce } from '../../messaging/once/sendOnce';
import { placeholders } from '../../messaging/template/placeholders';
import type { TemplateBody } from '../../messaging/template/templateChoice';
import { record } from '../../outputs/outputs';
import { simplifiedMessage, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { collection } from '../../runner/field';
import { flow } from '../../runner/operation';
import { assignments, recipient, templateFields } from './templateFields';
import { completeTemplate, contentSettings, ofTemplate } from './templateSending';

const settings = [recipient, allowLoop, sendOnce, ifUndelivered, ...contentSettings] as const;

/** Sends the template. It first checks and uploads a file for the header. */
const sendOne = flow<(typeof settings)[number], TemplateBody>(settings, async (given) => {
	const item = ofTemplate(given);
	const { context, request, read } = item;
	return await sendMessage(item, {
		onceKey: await onceKeyOf(item),
		answered: whenUndelivered(item),
		skipped: async () => await withoutConsent(context, request.body, read(consentGuard)),
		complete: async (body) => await completeTemplate(item, body),
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
