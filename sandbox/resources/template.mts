import { TEMPLATE_LANGUAGES, TEMPLATE_STATUS, type TemplateStatus } from '../choices.mts';
import { isComponentList } from '../messages/template.mts';
import { type FieldErrors, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Slice, Window } from '../store/slice.mts';
import type { Store } from '../store/store.mts';
import type { Tables } from '../store/tables.mts';
import { stringOf } from '../texts.mts';
import type { Operations } from './operation.mts';

/** A template; besides these, whatever members it was written with. */
export interface Template {
	id: number;
	name: string;
	language: string;
	status: string;
	components: TemplateComponent[];
	created_at: string;
	updated_at: string;
	[member: string]: unknown;
}

/** A component as the chat-app provider describes one. */
export interface TemplateComponent {
	type: string;
	format?: string;
	text?: string;
	buttons?: TemplateButton[];
	[member: string]: unknown;
}

export interface TemplateButton {
	type: string;
	text?: string;
	url?: string;
	phone_number?: string;
	[member: string]: unknown;
}

interface TemplateRow {
	id: number;
	name: string;
	language: string;
	status: string;
	fields: string;
	created_at: string;
	updated_at: string;
}

export const tables = {
	templates: {
		firstId: 81,
		isCounted: true,
		columns: `
			name TEXT NOT NULL,
			language TEXT NOT NULL,
			status TEXT NOT NULL,
			fields TEXT NOT NULL,
			created_at TEXT NOT NULL,
			updated_at TEXT NOT NULL,
			UNIQUE (name, language)`,
	},
} satisfies Tables;

const toTemplate = ({
	id,
	name,
	language,
	status,
	fields,
	created_at,
	updated_at,
}: TemplateRow): Template => ({
	...(JSON.parse(fields) as { components: TemplateComponent[] }),
	id,
	name,
	language,
	status,
	created_at,
	updated_at,
});

/** Message templates, one per name and language. Their fields are not shown, so they keep every member they are given. */
export class Records extends RecordStore {
	list(window?: Window): Slice<Template> {
		const { records, total } = this.database.slice<TemplateRow>(
			{ from: 'templates', order: 'id' },
			[],
			window,
		);
		return { records: records.map(toTemplate), total };
	}

	find(name: string, language: string): Template | undefined {
		const row = this.database.get<TemplateRow>(
			'SELECT * FROM templates WHERE name = ? AND language = ?',
			name,
			language,
		);
		return row && toTemplate(row);
	}

	/** Languages that a template of this name exists in. */
	languages(name: string): string[] {
		return this.database
			.all<{ language: string }>('SELECT language FROM templates WHERE name = ? ORDER BY language', name)
			.map(({ language }) => language);
	}

	create(
		name: string,
		language: string,
		fields: Record<string, unknown>,
		status: TemplateStatus = TEMPLATE_STATUS.approved,
	): Template {
		const now = this.clock.iso();
		const row = {
			name,
			language,
			status,
			fields: JSON.stringify(fields),
			created_at: now,
			updated_at: now,
		};
		return toTemplate({ id: this.database.insert('templates', row), ...row });
	}

	/**
	 * Notes what was decided about a template, and why.
	 * @returns undefined if there is no such template
	 */
	review(id: number, status: TemplateStatus, rejected_reason?: string): Template | undefined {
		const row = this.database.get<TemplateRow>('SELECT * FROM templates WHERE id = ?', id);
		if (!row) return undefined;
		const fields = JSON.parse(row.fields) as Record<string, unknown>;
		const changed = {
			status,
			fields: JSON.stringify({ ...fields, rejected_reason }),
			updated_at: this.clock.iso(),
		};
		this.database.update('templates', id, changed);
		return toTemplate({ ...row, ...changed });
	}
}

/** What a template needs here: a name, a known language, and components in the chat-app provider's format. */
function check({ name, language, components }: Record<string, unknown>): FieldErrors {
	const errors: FieldErrors = {};
	if (typeof name !== 'string' || name.trim() === '') errors.name = ['A template needs a name.'];
	if (!TEMPLATE_LANGUAGES.some(({ code }) => code === language)) {
		errors.language = ['The language must be one of /support/chatapp-template-languages.'];
	}
	if (components !== undefined && !isComponentList(components)) {
		errors.components = ['The components must be a list of objects with a type.'];
	}
	return errors;
}

export const operations = {
	listTemplates: (call) => call.page((window) => call.store.templates.list(window)),

	createTemplate({ store, body, tenant }) {
		const errors = check(body);
		if (Object.keys(errors).length > 0) throw invalid(errors);
		const { name, language, components = [], ...fields } = body;
		if (store.templates.find(stringOf(name), stringOf(language))) {
			throw invalid({ name: ['A template of this name exists in this language.'] });
		}
		return tenant.templateReview.create(stringOf(name), stringOf(language), { ...fields, components });
	},
} satisfies Operations;

const TEMPLATES = [
	{
		name: 'order_shipped',
		language: 'en_US',
		category: 'UTILITY',
		components: [
			{ type: 'HEADER', format: 'IMAGE' },
			{ type: 'BODY', text: 'Good news, {{1}}! Your order {{2}} is on its way and should arrive on {{3}}.' },
			{ type: 'FOOTER', text: 'Reply STOP to hear no more from us' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'Track parcel', url: 'https://shop.example/track/{{1}}' },
					{ type: 'QUICK_REPLY', text: 'I have a question' },
				],
			},
		],
	},
	{
		name: 'order_shipped',
		language: 'de',
		category: 'UTILITY',
		components: [
			{ type: 'HEADER', format: 'IMAGE' },
			{
				type: 'BODY',
				text: 'Gute Nachricht, {{1}}! Deine Bestellung {{2}} ist unterwegs und kommt am {{3}} an.',
			},
			{ type: 'FOOTER', text: 'Mit STOP abbestellen' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'Paket verfolgen', url: 'https://shop.example/de/track/{{1}}' },
					{ type: 'QUICK_REPLY', text: 'Ich habe eine Frage' },
				],
			},
		],
	},
	{
		name: 'welcome',
		language: 'en_US',
		category: 'MARKETING',
		components: [
			{ type: 'HEADER', format: 'TEXT', text: 'Welcome, {{first_name}}' },
			{
				type: 'BODY',
				text: 'Hi {{first_name}}, thank you for joining {{shop_name}}. Here is a little something for your first order.',
			},
			{ type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copy code' }] },
		],
	},
	{
		name: 'opening_hours',
		language: 'en_US',
		category: 'UTILITY',
		components: [{ type: 'BODY', text: 'We are open from Monday to Friday, 9 am to 6 pm.' }],
	},
	{
		name: 'question',
		language: 'en_US',
		category: 'UTILITY',
		components: [
			{ type: 'BODY', text: 'We have a question for you.' },
			{
				type: 'BUTTONS',
				// The address of the n8n that npm start starts.
				buttons: [{ type: 'URL', text: 'Answer', url: 'http://127.0.0.1:5678/webhook-waiting/{{1}}' }],
			},
		],
	},
];

export function demo({ templates }: Store): void {
	for (const { name, language, ...fields } of TEMPLATES) templates.create(name, language, fields);
}
