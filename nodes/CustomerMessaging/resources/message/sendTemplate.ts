import { sendMessage } from '../../messaging/delivery/sendMessage';
import { ifUndelivered, whenUndelivered } from '../../messaging/delivery/undelivered';
import { consentGuard, withoutConsent } from '../../messaging/guards/consentGuard';
import { allowLoop } from '../../messaging/guards/loopGuard';
import { onceKeyOf, sendOnce } from '../../messaging/once/sendOnce';
import { previewSettings, previewTemplate as previewOne } from '../../messaging/preview/templatePreview';
import { componentsOfItem } from '../../messaging/template/itemVariables';
import type { SlotValue } from '../../messaging/template/slots';
import { ofTemplate, type TemplateBody } from '../../messaging/template/templateChoice';
import { placeholders, templateVariableSettings } from '../../messaging/template/variableFields';
import { flow, type Item } from '../../runner/operation';
import { recipient } from './templateFields';

/** The settings that the content of a template message depends on. */
export const contentSettings = [...templateVariableSettings, placeholders, consentGuard] as const;

/** Completes the body of a template message, see `componentsOfItem`. It first checks and uploads a file for the header. */
export async function completeTemplate(
	{ context, read, shows }: Pick<Item<(typeof contentSettings)[number]>, 'context' | 'read' | 'shows'>,
	body: Partial<TemplateBody>,
	own?: SlotValue,
): Promise<Partial<TemplateBody>> {
	const replacements = shows(placeholders) ? read(placeholders) : undefined;
	return {
		...body,
		template_components: await componentsOfItem(context, read, own),
		...(replacements && { placeholders: replacements }),
	};
}

const sendSettings = [recipient, allowLoop, sendOnce, ifUndelivered, ...contentSettings] as const;

/** Sends the template. */
export const sendTemplate = flow<(typeof sendSettings)[number], TemplateBody>(sendSettings, async (given) => {
	const item = ofTemplate(given);
	return await sendMessage(item, {
		onceKey: await onceKeyOf(item),
		answered: whenUndelivered(item),
		skipped: async () => await withoutConsent(item),
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
