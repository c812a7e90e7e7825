import type { Clock } from '../clock.mts';
import { TEMPLATE_APPROVED } from '../choices.mts';
import type { Database } from './database.mts';
import { LIST_ALL, type Slice, type Window } from './slice.mts';

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
export class TemplateStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

	list(window: Window = LIST_ALL): Slice<Template> {
		return {
			records: this.database
				.all<TemplateRow>('SELECT * FROM templates ORDER BY id LIMIT ? OFFSET ?', window.limit, window.offset)
				.map(toTemplate),
			total: this.database.get<{ total: number }>('SELECT count(*) AS total FROM templates')?.total ?? 0,
		};
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

	create(name: string, language: string, fields: Record<string, unknown>): Template {
		const now = this.clock.iso();
		const id = this.database.insert('templates', {
			name,
			language,
			status: TEMPLATE_APPROVED,
			fields: JSON.stringify(fields),
			created_at: now,
			updated_at: now,
		});
		return toTemplate({
			id,
			name,
			language,
			status: TEMPLATE_APPROVED,
			fields: JSON.stringify(fields),
			created_at: now,
			updated_at: now,
		});
	}
}
