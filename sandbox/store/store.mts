import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../clock.mts';
import { AgentStore } from './agents.mts';
import { ConversationStore } from './conversations.mts';
import { CustomerStore } from './customers.mts';
import { Database } from './database.mts';
import { FileStore } from './files.mts';
import { GroupStore } from './groups.mts';
import { MediaStore } from './media.mts';
import { NotificationStore } from './notifications.mts';
import { ProfileStore } from './profiles.mts';
import { DATA_TABLES, FIRST_IDS, SCHEMA, SCHEMA_VERSION } from './schema.mts';
import { SettingsStore } from './settings.mts';
import { TagStore } from './tags.mts';
import { TemplateStore } from './templates.mts';
import { UserStore } from './users.mts';
import { WebhookStore } from './webhooks.mts';

/** How many records of each kind a tenant holds. */
export type Counts = Record<
	| 'users'
	| 'agents'
	| 'customers'
	| 'profiles'
	| 'tags'
	| 'groups'
	| 'templates'
	| 'media'
	| 'conversations'
	| 'messages',
	number
>;

/** Opens the database file of a folder; answers why not when another sandbox has it open. */
function openFile(dataDir: string): Database | string {
	try {
		const database = new Database(join(dataDir, 'sandbox.sqlite'));
		database.script('BEGIN EXCLUSIVE; COMMIT');
		return database;
	} catch (error) {
		const { message } = error as Error;
		return /locked|busy/i.test(message)
			? `${dataDir} is in use by another sandbox.`
			: `${dataDir}: ${message}`;
	}
}

function openDatabase(dataDir: string | undefined): Database {
	const database = dataDir === undefined ? new Database(':memory:') : openFile(dataDir);
	if (typeof database === 'string') throw new Error(database);
	return database;
}

/** Everything a tenant holds. */
export class Store {
	readonly users: UserStore;
	readonly agents: AgentStore;
	readonly customers: CustomerStore;
	readonly profiles: ProfileStore;
	readonly tags: TagStore;
	readonly groups: GroupStore;
	readonly files: FileStore;
	readonly media: MediaStore;
	readonly templates: TemplateStore;
	readonly conversations: ConversationStore;
	readonly notifications: NotificationStore;
	readonly settings: SettingsStore;
	readonly webhooks: WebhookStore;

	readonly clock: Clock;

	readonly database: Database;

	private readonly temporaryFolder: string | undefined;

	/**
	 * @param dataDir folder to keep everything in; without it, everything is in memory (file contents in a temporary
	 * folder) and gone after `close`.
	 * @throws in one sentence, when the folder is in use or was written by another version of the sandbox.
	 */
	constructor(dataDir?: string) {
		if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
		else this.temporaryFolder = mkdtempSync(join(tmpdir(), 'customer-messaging-sandbox-'));
		const database = openDatabase(dataDir);
		this.database = database;
		this.createTables(dataDir);
		const clock = new Clock(Number(this.fact('clock_offset') ?? 0));
		this.clock = clock;
		this.users = new UserStore(database, clock);
		this.agents = new AgentStore(database, clock);
		this.customers = new CustomerStore(database, clock);
		this.profiles = new ProfileStore(database, clock);
		this.tags = new TagStore(database, clock);
		this.groups = new GroupStore(database, clock);
		this.files = new FileStore(database, clock, join(dataDir ?? this.temporaryFolder ?? '', 'files'));
		this.media = new MediaStore(database, clock);
		this.templates = new TemplateStore(database, clock);
		this.conversations = new ConversationStore(database, clock);
		this.notifications = new NotificationStore(database, clock);
		this.settings = new SettingsStore(database);
		this.webhooks = new WebhookStore(database);
	}

	/** The key that temporary URLs are signed with; it stays the same over restarts. */
	get signingKey(): string {
		const known = this.fact('signing_key');
		if (known !== undefined) return known;
		const key = randomBytes(32).toString('hex');
		this.setFact('signing_key', key);
		return key;
	}

	/** Writes down how far the clock is moved, so that a restart keeps it. */
	saveClock(): void {
		this.setFact('clock_offset', String(this.clock.ahead()));
	}

	isEmpty(): boolean {
		return this.database.get('SELECT 1 FROM users') === undefined;
	}

	counts(): Counts {
		const count = (table: keyof Counts) =>
			this.database.get<{ total: number }>(`SELECT count(*) AS total FROM ${table}`)?.total ?? 0;
		return {
			users: count('users'),
			agents: count('agents'),
			customers: count('customers'),
			profiles: count('profiles'),
			tags: count('tags'),
			groups: count('groups'),
			templates: count('templates'),
			media: count('media'),
			conversations: count('conversations'),
			messages: count('messages'),
		};
	}

	/** Removes all data; ids start over. */
	clear(): void {
		this.database.script(
			[
				'PRAGMA foreign_keys = OFF',
				'BEGIN',
				...DATA_TABLES.map((table) => `DELETE FROM ${table}`),
				'COMMIT',
				'PRAGMA foreign_keys = ON',
			].join(';\n'),
		);
		this.startIds();
		this.files.clear();
	}

	close(): void {
		this.database.close();
		if (this.temporaryFolder !== undefined) rmSync(this.temporaryFolder, { recursive: true, force: true });
	}

	private createTables(dataDir: string | undefined): void {
		this.database.script(SCHEMA);
		const version = this.fact('schema_version');
		if (version === undefined) {
			this.setFact('schema_version', String(SCHEMA_VERSION));
			this.startIds();
		} else if (version !== String(SCHEMA_VERSION)) {
			this.database.close();
			throw new Error(
				`${dataDir ?? 'The data'} was written by another version of the sandbox. Choose another folder or delete it.`,
			);
		}
	}

	private startIds(): void {
		for (const [table, first] of Object.entries(FIRST_IDS)) {
			this.database.run('DELETE FROM sqlite_sequence WHERE name = ?', table);
			this.database.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, first - 1);
		}
	}

	private fact(name: string): string | undefined {
		return this.database.get<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)?.value;
	}

	private setFact(name: string, value: string): void {
		this.database.run('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)', name, value);
	}
}
