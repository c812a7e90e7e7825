import type { IDataObject } from 'n8n-workflow';

interface SentBody {
	type?: string;
	text?: { content: string };
	template_name?: string;
	template_language?: string;
	customer_id?: number;
}

/** What a simplified message tells of its request, where the service tells nothing of it. */
export function summaryOfSent(body: unknown): IDataObject {
	const { type = '', text, template_name, template_language, customer_id } = body as SentBody;
	const { caption = null } = ((body as IDataObject)[type] ?? {}) as { caption?: string };
	return {
		text: text?.content ?? caption,
		template: template_name ?? null,
		language: template_language ?? null,
		customer_id: customer_id ?? null,
	};
}

/** What Send Template gives in a simplified item of a message that the service delivers. */
export function rowOfSent(message: object, body: unknown): IDataObject {
	const { phone_number, customer_name = null } = body as IDataObject;
	const flat = Object.fromEntries(
		Object.entries(message).filter(([name]) => !['ca_template_id', 'latest_error'].includes(name)),
	);
	return {
		...{ ...flat, ...summaryOfSent(body) },
		...{ name: customer_name, phone_number: phone_number === undefined ? null : String(phone_number) },
		...{ result: 'sent', reason: null },
	};
}

/** What Send Template gives for a number besides the result and the reason where it sends nothing. */
export const skippedTemplate = (
	template: string,
	phone_number: string | null,
	customer_id: number | null = null,
) => ({
	...{ name: null, phone_number, customer_id, template, language: 'en_US' },
});

/** What Send gives for a text besides the result and the reason where it sends nothing: all fields of its output. */
export const skippedText = (conversation_id: number | string, text: string) => ({
	...{ id: null, conversation_id, customer_id: null, from: null, status: null, text, template: null },
	...{ language: null, contents: null, sent_at: null, latest_error: null, ca_template_id: null },
});
