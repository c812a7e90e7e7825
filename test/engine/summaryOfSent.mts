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
