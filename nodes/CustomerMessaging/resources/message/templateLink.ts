import {
	templateLanguage,
	templateName,
	type TemplateVariable,
	templateVariables,
	TooManyParts,
} from '../../messaging/templateRecord';
import { buttonPosition, MOST_BUTTONS } from '../../messaging/templateVariableRows';
import { type ItemContext, setting } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import { unlessHidden } from '../../transport/records';
import { nodeError } from '../../transport/errors';
import { pagesOf } from '../../transport/pages';
import { ValueProblem } from '../../values/conversion';
import { objectsOf } from '../../values/json';
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

/** The template of a message. */
interface Named {
	template_name?: string;
	template_language?: string;
}

/** Returns the variables of a template; undefined if the tenant does not show them. */
async function variablesOf(context: ItemContext, named: Named): Promise<TemplateVariable[] | undefined> {
	let found: Partial<Record<string, unknown>> | undefined;
	for await (const { records } of pagesOf(context, { url: '/templates' })) {
		const known = objectsOf(records).filter((one) => templateName(one) === named.template_name);
		const exact = known.find((one) => templateLanguage(one) === named.template_language);
		found = exact ?? found ?? known[0];
		if (exact) break;
	}
	try {
		return found && templateVariables(found);
	} catch (error) {
		if (error instanceof TooManyParts) return undefined;
		throw nodeError(context.getNode(), error, context.getItemIndex());
	}
}

/** The part of a link behind the address of n8n's waiting webhooks: execution, node, query. */
const behindWebhooks = (link: string) => /[^/]+\/[^/]+$/.exec(link)?.[0] ?? link;

/**
 * Returns the part of a link that the variable of a URL button takes, as a variable by its ID. The beginning of the
 * address is in the template.
 *
 * @param position of the button, from 1
 * @throws NodeOperationError when the tenant shows that the button does not lead to this n8n
 */
export async function linkAsVariable(
	context: ItemContext,
	named: Named,
	position: number,
	link: string,
): Promise<Record<string, string>> {
	const id = `button_${position - 1}_url`;
	const end = behindWebhooks(link);
	const shown = await unlessHidden(variablesOf(context, named));
	if (!shown) return { [id]: end };
	const address = shown.find((variable) => variable.id === id)?.url ?? '';
	const [, beginning, rest] = /^(.*?)\{\{[^{}]*\}\}(.*)$/.exec(address) ?? [];
	if (beginning !== undefined && rest === '' && link.startsWith(beginning))
		return { [id]: link.slice(beginning.length) };
	const needed = `${link.slice(0, -end.length)}{{1}}`;
	const problem = new ValueProblem(
		address
			? `is ${position}, but that button leads to ${cut(address, MAX_ADDRESS)}`
			: `is ${position}, but the template has no URL button with a variable there`,
		`Nothing was sent. In the template, the address of the button has to be ${cut(needed, MAX_ADDRESS)}.`,
	);
	throw fieldError(context, linkVariable.parameter.displayName, problem);
}
