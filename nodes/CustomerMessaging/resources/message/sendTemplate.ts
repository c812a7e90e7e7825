import { sendMessage } from '../../messaging/delivery/sendMessage';
import { ifUndelivered, whenUndelivered } from '../../messaging/delivery/undelivered';
import { consentGuard, withoutConsent } from '../../messaging/guards/consentGuard';
import { allowLoop } from '../../messaging/guards/loopGuard';
import { onceKeyOf, sendOnce } from '../../messaging/once/sendOnce';
import { previewSettings, previewTemplate as previewOne } from '../../messaging/preview/templatePreview';
import { ofTemplate, type TemplateBody } from '../../messaging/template/templateChoice';
import { flow } from '../../runner/operation';
import { recipient } from './templateFields';
import { completeTemplate, contentSettings } from './templateSending';

const sendSettings = [recipient, allowLoop, sendOnce, ifUndelivered, ...contentSettings] as const;

/** Sends the template. It first checks and uploads a file for the header. */
export const sendTemplate = flow<(typeof sendSettings)[number], TemplateBody>(sendSettings, async (given) => {
	const item = ofTemplate(given);
	const { context, request, read, shows } = item;
	return await sendMessage(item, {
		onceKey: await onceKeyOf(item),
		answered: whenUndelivered(item),
		skipped: async () =>
			await withoutConsent(context, request.body, shows(consentGuard) ? read(consentGuard) : undefined),
		complete: async (body) => await completeTemplate(item, body),
	});
});

const settingsOfPreview = [recipient, ...previewSettings] as const;

/** Describes what would be sent. */
export const previewTemplate = flow<(typeof settingsOfPreview)[number], TemplateBody>(
	settingsOfPreview,
	async (item) => await previewOne(ofTemplate(item)),
	{ collects: true },
);
