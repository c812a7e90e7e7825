import type { Message } from '../resources/message.mts';
import { stringOf } from '../texts.mts';
import type { RenderedTemplate } from './template.mts';

type Part = Record<string, unknown>;

const part = (content: Part, name: string) => (content[name] ?? {}) as Part;

/** The texts of one content, from top to bottom. */
function texts(content: Part): unknown[] {
	switch (content.type) {
		case 'text':
			return [part(content, 'text').content];
		case 'template': {
			const { header, body, footer, buttons = [] } = content.template as RenderedTemplate;
			const onButtons = buttons.flatMap(({ text, url, code, phone_number }) => [
				text,
				url,
				code,
				phone_number,
			]);
			return [header?.text, body?.text, footer?.text, ...onButtons];
		}
		case 'contact':
			return [part(part(content, 'contact'), 'name').formatted_name];
		case 'location':
			return [part(content, 'location').name, part(content, 'location').address];
		default:
			return [part(content, stringOf(content.type)).caption, part(content, 'file').name];
	}
}

/** What a customer can read in a message, a line for each text. */
export const readableText = ({ contents }: Message): string =>
	contents
		.flatMap(texts)
		.filter((text): text is string => typeof text === 'string' && text !== '')
		.join('\n');

/** The name of the template that a message was made from. */
export function templateName({ contents }: Message): string | undefined {
	const template = contents.find(({ type }) => type === 'template')?.template;
	return (template as RenderedTemplate | undefined)?.name;
}
