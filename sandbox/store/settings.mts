import type { Database } from './database.mts';

export const SETTINGS_CATEGORIES = ['general', 'third-party', 'crm'] as const;
export type SettingsCategory = (typeof SETTINGS_CATEGORIES)[number];
export type Settings = Record<string, unknown>;

/** Tenant settings in three categories. Their fields are not shown, so they keep every member they are given. */
export class SettingsStore {
	constructor(private readonly database: Database) {}

	get(category: SettingsCategory): Settings {
		const row = this.database.get<{ value: string }>(
			'SELECT value FROM settings WHERE category = ?',
			category,
		);
		return row ? (JSON.parse(row.value) as Settings) : {};
	}

	/** Changes the given members, keeps the others, and answers all. */
	update(category: SettingsCategory, changes: Settings): Settings {
		const merged = { ...this.get(category), ...changes };
		this.database.run(
			'INSERT OR REPLACE INTO settings (category, value) VALUES (?, ?)',
			category,
			JSON.stringify(merged),
		);
		return merged;
	}
}
