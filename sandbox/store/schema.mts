/** Raised whenever the tables change, so that a data folder of another version is refused instead of misread. */
export const SCHEMA_VERSION = 1;

/**
 * First ids per table. They differ on purpose: a customer's id used where a profile's is meant finds nothing,
 * instead of working by coincidence.
 */
export const FIRST_IDS: Record<string, number> = {
	users: 1,
	agents: 11,
	customers: 101,
	profiles: 500_001,
	conversations: 2_001,
	messages: 30_001,
	tags: 41,
	groups: 61,
	media: 71,
	templates: 81,
	activities: 7_001,
	message_errors: 901,
	deletion_log: 1,
	webhooks: 1,
	deliveries: 1,
};

/** Every table that holds data of the tenant, children before parents. */
export const DATA_TABLES = [
	'deliveries',
	'webhooks',
	'deletion_log',
	'message_errors',
	'messages',
	'conversations',
	'activities',
	'profile_tags',
	'profile_groups',
	'media_tags',
	'customer_users',
	'profiles',
	'customers',
	'media',
	'files',
	'templates',
	'tags',
	'groups',
	'agents',
	'notifications',
	'pin_attempts',
	'tokens',
	'users',
	'settings',
];

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS users (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT NOT NULL,
	email TEXT NOT NULL COLLATE NOCASE UNIQUE,
	is_admin INTEGER NOT NULL DEFAULT 0,
	external_id TEXT,
	external_group TEXT,
	pin TEXT,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS tokens (
	token TEXT PRIMARY KEY,
	user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
	personal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pin_attempts (
	user_id INTEGER PRIMARY KEY REFERENCES users ON DELETE CASCADE,
	failures INTEGER NOT NULL,
	locked_until INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS notifications (
	uuid TEXT PRIMARY KEY,
	user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
	title TEXT NOT NULL,
	body TEXT NOT NULL,
	read_at TEXT,
	created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS notifications_of_user ON notifications (user_id);
CREATE TABLE IF NOT EXISTS settings (category TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS agents (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	channel TEXT NOT NULL,
	name TEXT NOT NULL,
	display_id TEXT NOT NULL,
	bot_id INTEGER,
	proxy_email TEXT,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS customers (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	channel TEXT NOT NULL,
	display_id TEXT NOT NULL,
	name TEXT NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	UNIQUE (channel, display_id)
);
CREATE TABLE IF NOT EXISTS customer_users (
	user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
	customer_id INTEGER NOT NULL REFERENCES customers ON DELETE CASCADE,
	PRIMARY KEY (user_id, customer_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS users_of_customer ON customer_users (customer_id);
CREATE TABLE IF NOT EXISTS deletion_log (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	customer_id INTEGER NOT NULL,
	profile_id INTEGER,
	channel TEXT NOT NULL,
	display_id TEXT NOT NULL,
	deleted_by INTEGER,
	deleted_at TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS profiles (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	customer_id INTEGER NOT NULL UNIQUE REFERENCES customers ON DELETE CASCADE,
	channel TEXT NOT NULL,
	name TEXT NOT NULL,
	phone_number TEXT NOT NULL,
	email TEXT,
	date_of_birth TEXT,
	address TEXT,
	custom_1 TEXT,
	custom_2 TEXT,
	custom_3 TEXT,
	custom_4 TEXT,
	custom_5 TEXT,
	marketing_opt_in INTEGER,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS profiles_by_channel ON profiles (channel);
CREATE INDEX IF NOT EXISTS profiles_by_name ON profiles (name COLLATE NOCASE);
CREATE TABLE IF NOT EXISTS activities (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
	type TEXT NOT NULL,
	created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS activities_of_profile ON activities (profile_id, type);

CREATE TABLE IF NOT EXISTS tags (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	title TEXT NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS tags_by_title ON tags (title COLLATE NOCASE);
CREATE TABLE IF NOT EXISTS groups (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	fields TEXT NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS profile_tags (
	profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
	tag_id INTEGER NOT NULL REFERENCES tags ON DELETE CASCADE,
	PRIMARY KEY (profile_id, tag_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS profiles_of_tag ON profile_tags (tag_id);
CREATE TABLE IF NOT EXISTS profile_groups (
	profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
	group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
	PRIMARY KEY (profile_id, group_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS profiles_of_group ON profile_groups (group_id);

CREATE TABLE IF NOT EXISTS files (
	uuid TEXT PRIMARY KEY,
	type TEXT NOT NULL,
	public INTEGER NOT NULL,
	name TEXT NOT NULL,
	mime_type TEXT NOT NULL,
	size INTEGER NOT NULL,
	sha256 TEXT NOT NULL,
	created_at TEXT NOT NULL,
	expires_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS files_by_expiry ON files (expires_at);
CREATE TABLE IF NOT EXISTS media (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	type TEXT NOT NULL,
	internal_uuid TEXT NOT NULL REFERENCES files ON DELETE CASCADE,
	title TEXT,
	description TEXT,
	filename TEXT NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS media_of_file ON media (internal_uuid);
CREATE TABLE IF NOT EXISTS media_tags (
	media_id INTEGER NOT NULL REFERENCES media ON DELETE CASCADE,
	tag_id INTEGER NOT NULL REFERENCES tags ON DELETE CASCADE,
	PRIMARY KEY (media_id, tag_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS media_of_tag ON media_tags (tag_id);

CREATE TABLE IF NOT EXISTS templates (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT NOT NULL,
	language TEXT NOT NULL,
	status TEXT NOT NULL,
	fields TEXT NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	UNIQUE (name, language)
);

CREATE TABLE IF NOT EXISTS conversations (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	customer_id INTEGER NOT NULL UNIQUE REFERENCES customers ON DELETE CASCADE,
	agent_id INTEGER REFERENCES agents ON DELETE SET NULL,
	bot_id INTEGER,
	user_id INTEGER REFERENCES users ON DELETE SET NULL,
	folder_id INTEGER,
	session_started_at INTEGER NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS conversations_by_time ON conversations (updated_at);
CREATE INDEX IF NOT EXISTS conversations_of_agent ON conversations (agent_id);
CREATE INDEX IF NOT EXISTS conversations_of_user ON conversations (user_id);
CREATE TABLE IF NOT EXISTS messages (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	conversation_id INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
	"from" TEXT NOT NULL,
	source TEXT NOT NULL,
	user_id INTEGER,
	contents TEXT NOT NULL,
	status TEXT NOT NULL,
	sent_at TEXT NOT NULL,
	reference_id INTEGER,
	ca_template_id INTEGER
);
CREATE INDEX IF NOT EXISTS messages_of_conversation ON messages (conversation_id);
CREATE TABLE IF NOT EXISTS message_errors (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
	type TEXT NOT NULL,
	original_message TEXT NOT NULL,
	user_friendly_message TEXT NOT NULL,
	created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS errors_of_message ON message_errors (message_id);

CREATE TABLE IF NOT EXISTS webhooks (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	url TEXT NOT NULL,
	protection TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS deliveries (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	webhook_id INTEGER,
	url TEXT NOT NULL,
	event TEXT NOT NULL,
	conversation_id INTEGER,
	message_id INTEGER,
	body TEXT NOT NULL,
	headers TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	status INTEGER,
	answer TEXT,
	error TEXT,
	duration_ms REAL,
	created_at TEXT NOT NULL,
	finished_at TEXT
);
CREATE INDEX IF NOT EXISTS deliveries_of_conversation ON deliveries (conversation_id);
`;
