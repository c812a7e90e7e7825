import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { Table } from '../store/table.mts';
import type { Operations } from './operation.mts';

type Category = 'general' | 'third-party' | 'crm';
export type Settings = Record<string, unknown>;

export const tables = {
	settings: () => new Table<{ category: Category; value: Settings }>({ key: 'category' }),
};

/** Tenant settings in three categories. Their fields are not shown, so they keep every member they are given. */
export class Records extends RecordStore {
	get(category: Category): Settings {
		return this.tables.settings.find(category)?.value ?? {};
	}

	/** Changes the given members, keeps the others, and answers all. */
	update(category: Category, changes: Settings): Settings {
		return this.tables.settings.insert({ category, value: { ...this.get(category), ...changes } }).value;
	}
}

export const operations = {
	getGeneralSettings: ({ store }) => ({ data: store.settings.get('general') }),
	updateGeneralSettings: ({ store, body }) => ({ data: store.settings.update('general', body) }),
	getThirdPartySettings: ({ store }) => ({ data: store.settings.get('third-party') }),
	updateThirdPartySettings: ({ store, body }) => ({ data: store.settings.update('third-party', body) }),
	getCrmSettings: ({ store }) => ({ data: store.settings.get('crm') }),
	updateCrmSettings: ({ store, body }) => ({ data: store.settings.update('crm', body) }),
} satisfies Operations;

export function demo({ settings }: Store): void {
	settings.update('general', { company_name: 'Sunset Parcels', locale: 'en', timezone: 'Europe/Berlin' });
	settings.update('third-party', { analytics_enabled: false, analytics_id: null });
	settings.update('crm', { provider: 'none', sync_profiles: false, base_url: null });
}
