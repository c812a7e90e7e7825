import type { IDataObject } from 'n8n-workflow';

import type { Body } from '../../contract/endpoints';
import { consentGuard, withoutConsent } from '../../messaging/consentGuard';
import { placeholders } from '../../messaging/placeholders';
import type { VariableValues } from '../../messaging/templateComponents';
import { withLanguage } from '../../messaging/templateChoice';
import { templateVariableSettings } from '../../messaging/templateVariableFields';
import { templateComponents } from '../../messaging/templateVariables';
import type { ItemContext } from '../../runner/field';
import type { Item, Read } from '../../runner/operation';

export type Template = Body<'POST /chatapp/send-template'>;

/** The settings that the content of a template message depends on. */
export const contentSettings = [...templateVariableSettings, placeholders, consentGuard] as const;

type ReadContent = Read<(typeof contentSettings)[number]>;

/** Returns the item with the language of a template that was chosen from the list. */
export function ofTemplate<One extends Pick<Item<never, Template>, 'request'>>(item: One): One {
	return { ...item, request: { ...item.request, body: withLanguage(item.request.body) } };
}

/** Returns the output item if nothing is to be sent, because the recipient has not agreed. */
export async function skippedTemplate(
	context: ItemContext,
	body: Partial<Template>,
	read: ReadContent,
): Promise<IDataObject | undefined> {
	return await withoutConsent(context, body, read(consentGuard));
}

/**
 * Completes the body of a template message. It first checks and uploads a file for the header.
 *
 * @param own values of buttons that the operation gives by itself, see `templateComponents`
 */
export async function completeTemplate(
	context: ItemContext,
	body: Partial<Template>,
	read: ReadContent,
	own?: VariableValues,
): Promise<Partial<Template>> {
	const values = read(placeholders);
	return {
		...body,
		template_components: await templateComponents(context, read, own),
		...(values && { placeholders: values }),
	};
}
