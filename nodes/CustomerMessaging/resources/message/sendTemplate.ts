import { sendMessage } from '../../messaging/delivery/sendMessage';
import { type Recipient, skippedRow } from '../../messaging/delivery/messageRow';
import { whenUndelivered } from '../../messaging/delivery/undelivered';
import { type RecipientSigns, signsOf, withoutConsent } from '../../messaging/guards/consentGuard';
import { outsideHours } from '../../messaging/guards/sendingHours';
import { onceClaim } from '../../messaging/once/sendOnce';
import { previewTemplate as previewOne } from '../../messaging/preview/templatePreview';
import { componentsOfItem } from '../../messaging/template/itemVariables';
import type { SlotValue } from '../../messaging/template/slots';
import { ofTemplate, type TemplateBody } from '../../messaging/template/templateChoice';
import { placeholders } from '../../messaging/template/variableFields';
import type { SettingIn } from '../../runner/field';
import { flow, type Item } from '../../runner/operation';
import type { sendTemplateFields, templateFields } from './templateFields';

type ContentSetting = SettingIn<typeof templateFields> | typeof placeholders;

/** Completes the body of a template message, see `componentsOfItem`. It first checks and uploads a file for the header. */
export async function completeTemplate(
	{ context, read, shows }: Pick<Item<ContentSetting>, 'context' | 'read' | 'shows'>,
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

export const sendTemplate = flow<SettingIn<typeof sendTemplateFields>, TemplateBody>(async (given) => {
	const item = ofTemplate(given);
	const { context, request } = item;
	// What the guards get to know of the recipient, for the row of the message.
	const known: Recipient = {};
	const learn = ({ customerId, digits, name }: RecipientSigns) => {
		known.customer_id ??= customerId;
		known.phone_number ??= digits;
		known.customer_name ??= name;
	};
	const recipient = async () => {
		const found = await signsOf(context, request.body);
		learn(found);
		return found;
	};
	const withKnown: typeof item = {
		...item,
		output: (answer, sent = request) => item.output(answer, { ...sent, body: { ...known, ...sent.body } }),
	};
	return await sendMessage(withKnown, {
		answered: whenUndelivered(item),
		skipped: async () => outsideHours(item) ?? (await withoutConsent(item, recipient, learn)),
		skippedRow: (json) => skippedRow(context, { ...known, ...request.body }, json),
		claim: await onceClaim(item),
		complete: async (body) => await completeTemplate(item, body),
	});
});

/** Takes the problems of an item: see `message.ts`, where the node finds out before this is loaded. */
export const previewTemplate = flow<ContentSetting, TemplateBody>(
	async (item) => await previewOne(ofTemplate(item)),
);
