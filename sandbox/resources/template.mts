import { TEMPLATE_LANGUAGES, type TemplateStatus } from '../choices.mts';
import { isComponentList } from '../messages/template.mts';
import { type FieldErrors, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { type Slice, slice, Table, type Window } from '../store/table.mts';
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

export const tables = {
	templates: () => new Table<Template>({ firstId: 81, isCounted: true, by: ['name'] }),
};

const toTemplate = ({ id, name, language, status, created_at, updated_at, ...fields }: Template) =>
	({ ...fields, id, name, language, status, created_at, updated_at }) as Template;

/** Message templates, one per name and language. Their fields are not shown, so they keep every member they are given. */
export class Records extends RecordStore {
	list(window?: Window): Slice<Template> {
		return slice(this.tables.templates.all().map(toTemplate), window);
	}

	find(name: string, language: string): Template | undefined {
		const template = this.tables.templates.by('name', name).find((one) => one.language === language);
		return template && toTemplate(template);
	}

	/** Languages that a template of this name exists in. */
	languages(name: string): string[] {
		const languages = this.tables.templates.by('name', name).map(({ language }) => language);
		return languages.sort();
	}

	create(
		name: string,
		language: string,
		fields: Record<string, unknown>,
		status: TemplateStatus = 'approved',
	): Template {
		const template = { ...fields, name, language, status, ...this.born } as Template;
		return toTemplate(this.tables.templates.insert(template));
	}

	/**
	 * Decides about a template, and says why.
	 * @returns undefined if there is no such template
	 */
	review(id: number, status: TemplateStatus, rejected_reason: string | null = null): Template | undefined {
		const reviewed = this.tables.templates.update(id, { status, rejected_reason, ...this.touched });
		return reviewed && toTemplate(reviewed);
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

	createTemplate({ store, body }) {
		const errors = check(body);
		if (Object.keys(errors).length > 0) throw invalid(errors);
		const { name, language, components = [], ...fields } = body;
		if (store.templates.find(stringOf(name), stringOf(language))) {
			throw invalid({ name: ['A template of this name exists in this language.'] });
		}
		return store.templates.create(stringOf(name), stringOf(language), { ...fields, components });
	},
} satisfies Operations;

/** The same template in two languages. */
const shipped = (language: string, text: string, stop: string, track: string, path: string, ask: string) => ({
	name: 'order_shipped',
	language,
	category: 'UTILITY',
	components: [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text },
		{ type: 'FOOTER', text: stop },
		{
			type: 'BUTTONS',
			buttons: [
				{ type: 'URL', text: track, url: `https://shop.example/${path}/{{1}}` },
				{ type: 'QUICK_REPLY', text: ask },
			],
		},
	],
});

/** The n8n that answers questions, as `npm start` names it. */
const N8N_URL = process.env.N8N_WEBHOOK_URL ?? 'http://127.0.0.1:5678/';

const TEMPLATES = [
	shipped(
		'en_US',
		'Good news, {{1}}! Your order {{2}} is on its way and should arrive on {{3}}.',
		'Reply STOP to hear no more from us',
		...(['Track parcel', 'track', 'I have a question'] as const),
	),
	shipped(
		'de',
		'Gute Nachricht, {{1}}! Deine Bestellung {{2}} ist unterwegs und kommt am {{3}} an.',
		'Mit STOP abbestellen',
		...(['Paket verfolgen', 'de/track', 'Ich habe eine Frage'] as const),
	),
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
				buttons: [{ type: 'URL', text: 'Answer', url: `${N8N_URL}webhook-waiting/{{1}}` }],
			},
		],
	},
];

export function demo({ templates }: Store): void {
	for (const { name, language, ...fields } of TEMPLATES) templates.create(name, language, fields);
}
