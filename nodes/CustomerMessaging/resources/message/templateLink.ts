import { templateDirectoryOf } from '../../messaging/preview/templateDirectory';
import { buttonSlot, type SlotValue } from '../../messaging/template/slots';
import type { NamedTemplate } from '../../messaging/template/templateChoice';
import { buttonPosition, MOST_BUTTONS } from '../../messaging/template/variableFields';
import { type ItemContext, setting } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import { ValueProblem } from '../../values/conversion';
import { cut } from '../../values/text';

export const linkVariable = setting('linkVariable', buttonPosition, {
	displayName: 'Button With the Link',
	name: 'linkVariable',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_BUTTONS },
	default: 1,
	required: true,
	description:
		'The URL button that opens the page, counted from 1 over all buttons. The link wins over a value in the variables.',
});

/** Maximum length of an address in an error message. */
const MAX_ADDRESS = 300;

/** The part of a link behind the address of n8n's waiting webhooks: execution, node, query. */
const behindWebhooks = (link: string) => /[^/]+\/[^/]+$/.exec(link)?.[0] ?? link;

/**
 * Returns the part of a link that the variable of a URL button takes. The beginning of the address is in the template.
 *
 * @param position of the button, from 1
 * @throws NodeOperationError when the tenant shows that the button does not lead to this n8n
 */
export async function linkAsVariable(
	context: ItemContext,
	{ template_name: name = '', template_language: language = '' }: NamedTemplate,
	position: number,
	link: string,
): Promise<SlotValue> {
	const slot = buttonSlot(position - 1, 'url');
	const end = behindWebhooks(link);
	const directory = await templateDirectoryOf(context);
	const found = directory?.find(context, name, language);
	const parts = found?.parts ?? found?.partsElsewhere;
	if (!parts) return { slot, value: end };
	const addresses = parts.map((part) =>
		part.part === 'button' && part.type === 'url' && part.index === position - 1 ? part.url : '',
	);
	const [address, beginning, rest] =
		/^(.*?)\{\{[^{}]*\}\}(.*)$/.exec(addresses.find((one) => one !== '') ?? '') ?? [];
	if (beginning !== undefined && rest === '' && link.startsWith(beginning))
		return { slot, value: link.slice(beginning.length) };
	const needed = `${link.slice(0, -end.length)}{{1}}`;
	const problem = new ValueProblem(
		address === undefined
			? `is ${position}, but the template has no URL button with a variable there`
			: `is ${position}, but that button leads to ${cut(address, MAX_ADDRESS)}`,
		`Nothing was sent. In the template, the address of the button has to be ${cut(needed, MAX_ADDRESS)}.`,
	);
	throw fieldError(context, linkVariable.parameter.displayName, problem);
}
