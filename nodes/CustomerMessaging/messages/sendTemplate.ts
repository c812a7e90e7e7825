import { sendMessage, whenUndelivered } from './sendMessage';
import { type Recipient, skippedRow } from './messageRow';
import { type RecipientSigns, signsOf, withoutConsent } from './consentGuard';
import { outsideHours } from './sendingHours';
import { onceClaim } from './once/sendOnce';
import { previewTemplate as previewOne } from './template/templatePreview';
import { componentsOfItem } from './template/itemVariables';
import type { SlotValue } from './template/slots';
import { type TemplateBody, useChosenTemplate } from './template/templateChoice';
import type { allowLoop, consentGuard, ifUndelivered, sendingHours, sendOnce } from './sendingOptions';
import { placeholders, type VariableSetting } from './template/variableFields';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import type { recipient } from './templateFields';

/** What the content of a template message is read from, and who gets it. */
type ContentSetting = typeof placeholders | typeof recipient | VariableSetting;

/** Completes the body of a template message, see `componentsOfItem`. It first checks and uploads a file for the header. */
export async function completeTemplate(
	item: Item<ContentSetting>,
	body: Partial<TemplateBody>,
	own?: SlotValue,
): Promise<Partial<TemplateBody>> {
	const replacements = item.shows(placeholders) ? item.get(placeholders) : undefined;
	return {
		...body,
		template_components: await componentsOfItem(item, own),
		...(replacements && { placeholders: replacements }),
	};
}

export const sendTemplate: Run<
	| ContentSetting
	| typeof allowLoop
	| typeof consentGuard
	| typeof ifUndelivered
	| typeof sendingHours
	| typeof sendOnce,
	TemplateBody
> = async (item) => {
	useChosenTemplate(item);
	const { context, request } = item;
	// What the guards get to know of the recipient, for the row of the message.
	const known: Recipient = {};
	const learn = ({ customerId, digits, name }: RecipientSigns) => {
		known.customer_id ??= customerId;
		known.phone_number ??= digits;
		known.customer_name ??= name;
	};
	const findSigns = async () => {
		const found = await signsOf(context, request.body);
		learn(found);
		return found;
	};
	return await sendMessage(item, {
		known,
		answered: whenUndelivered(item),
		skipped: async () => outsideHours(item) ?? (await withoutConsent(item, findSigns, learn)),
		skippedRow: (json) => skippedRow(context, { ...known, ...request.body }, json),
		claim: onceClaim(item),
		complete: async (body) => await completeTemplate(item, body),
	});
};

export const previewTemplate: Run<ContentSetting, TemplateBody> = async (item) => {
	useChosenTemplate(item);
	return await previewOne(item);
};
