import { consentGuard } from '../../messaging/guards/consentGuard';
import { componentsOfItem } from '../../messaging/template/itemVariables';
import { placeholders } from '../../messaging/template/placeholders';
import type { SlotValue } from '../../messaging/template/slots';
import type { TemplateBody } from '../../messaging/template/templateChoice';
import { templateVariableSettings } from '../../messaging/template/variableFields';
import type { Item } from '../../runner/operation';

/** The settings that the content of a template message depends on. */
export const contentSettings = [...templateVariableSettings, placeholders, consentGuard] as const;

/**
 * Completes the body of a template message. It first checks and uploads a file for the header.
 *
 * @param own value of a button that the operation gives by itself, see `componentsOfItem`
 */
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
