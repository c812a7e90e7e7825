import type { IDataObject } from 'n8n-workflow';

interface SentBody {
	type?: string;
	text?: { content: string };
	template_name?: string;
	template_language?: string;
	customer_id?: number;
	customer_name?: string;
	phone_number?: number;
}

const COLUMNS = ['id', 'conversation_id', 'customer_id', 'status', 'text', 'template', 'language', 'sent_at'];

/** The row of a message, without the columns of which nothing is known. */
export function rowOf(result: string, reason: string, known: IDataObject): IDataObject {
	const { name = '', phone_number = '', ...others } = known;
	const filled = Object.entries(others).filter(([, value]) => value !== null && value !== undefined);
	return { result, reason, name, phone_number, ...Object.fromEntries(filled) };
}

/** The simplified item of a message that the service delivers, where the service tells nothing of its request. */
export function rowOfSent(message: object, body: unknown): IDataObject {
	const { type = '', text, template_name, template_language, ...sent } = body as SentBody;
	const { caption } = ((body as IDataObject)[type] ?? {}) as { caption?: string };
	const told = Object.entries(message).filter(([name]) => COLUMNS.includes(name));
	return rowOf('sent', '', {
		...{ name: sent.customer_name, customer_id: sent.customer_id },
		phone_number: sent.phone_number === undefined ? '' : String(sent.phone_number),
		...{ text: text?.content ?? caption, template: template_name, language: template_language },
		...Object.fromEntries(told),
	});
}

/** What Send Template gives for a number besides the result and the reason where it sends nothing. */
export const skippedTemplate = (template: string, phone_number: string, customer_id?: number) => ({
	...{ name: '', phone_number, template, language: 'en_US' },
	...(customer_id !== undefined && { customer_id }),
});

/** What Send gives for a text besides the result and the reason where it sends nothing. */
export const skippedText = (conversation_id: number | string, text: string) => ({
	...{ name: '', phone_number: '', conversation_id, text },
});
