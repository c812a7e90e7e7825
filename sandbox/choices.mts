/**
 * Everything that the interface does not show and the sandbox had to decide. Nothing here is a promise of the real
 * service: a client that only works with these values is wrong. docs/sandbox.md lists them in words.
 */

// --- Access ---------------------------------------------------------------------------------------------------------

/** Tokens of an admin, and of a user who is none. How the service issues tokens is not shown. */
export const ADMIN_TOKEN = 'sandbox-admin-token';
export const USER_TOKEN = 'sandbox-agent-token';

/** Role of every user without the role `admin`; of the role names only `admin` is shown. */
export const PLAIN_ROLE = 'agent';

/** Names of permissions are not shown. */
export const ADMIN_PERMISSIONS = ['customers.all', 'users.manage', 'settings.manage', 'templates.manage'];
export const PLAIN_PERMISSIONS = ['customers.attached'];

// --- Answers --------------------------------------------------------------------------------------------------------

/**
 * Statuses of failures. Bodies are `{ message, errors?: { field: [text, …] } }`.
 * A body that is no JSON or has another content type is 422 as well, as is an unknown record named in a body.
 */
export const STATUS = {
	unauthorized: 401,
	notAttached: 403,
	notFound: 404,
	lastAdmin: 409,
	fileTooLarge: 413,
	invalid: 422,
	tooManyAttempts: 429,
} as const;

/** Shapes that a paginated list can have; the interface shows only that `data` is in it. */
export const ENVELOPES = ['length-aware', 'next-page-url', 'cursor', 'offset', 'headers'] as const;
export type EnvelopeKind = (typeof ENVELOPES)[number];

/** What an account may decide otherwise; the first value of each choice is the sandbox's own. */
export const CHOICES = {
	envelope: ENVELOPES,
	/** Links to other pages: by the address that the client used, or by one behind a proxy: `PROXIED_BASE`. */
	links: ['own', 'proxied'],
	/** How ids are written in answers. In requests either way is taken. */
	ids: ['number', 'text'],
	/** Status of a creation. */
	created: ['200', '201'],
	/** Answer to a deletion: `{ data: [] }`, 204, or 200 with nothing in it. */
	deleted: ['empty-list', '204', 'empty-body'],
	/** Where `per_page` counts: where the interface has it, everywhere, or nowhere. */
	pageSize: ['where-shown', 'everywhere', 'ignored'],
	/** What `order_by` does on /profiles. */
	orderBy: ['as-asked', 'ignored', 'refused'],
	/** How `created_at` and `updated_at` of /profiles are shown. */
	profileTimes: ['milliseconds', 'seconds', 'local', 'hidden'],
	/** Whether profiles show their tags: as tags, as their titles in one text, or not at all. */
	profileTags: ['records', 'titles', 'hidden'],
} as const;

export type ChoiceName = keyof typeof CHOICES;
export type Choices = { [Name in ChoiceName]: (typeof CHOICES)[Name][number] };

/** What the sandbox decides unless it is told otherwise. */
export const OWN_CHOICES = Object.fromEntries(
	Object.entries(CHOICES).map(([name, [own]]) => [name, own]),
) as Choices;

/** Where links lead that a tenant behind a proxy writes: what it knows itself by, which no client reaches. */
export const PROXIED_BASE = 'http://backend.customer-messaging.example:8080/internal/api';

/** Default and largest page size. `per_page` is read on /profiles only, where the interface has it. */
export const DEFAULT_PAGE_SIZE = 15;
export const MAX_PAGE_SIZE = 100;

/** Largest JSON body in bytes. */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;

// --- PIN ------------------------------------------------------------------------------------------------------------

/** Wrong PINs in a row until the user is locked, and for how long; a right one resets the count. */
export const PIN_FAILURES_ALLOWED = 5;
export const PIN_LOCKOUT_SECONDS = 60;

// --- Files ----------------------------------------------------------------------------------------------------------

/** Stated by the interface: retention, validity of temporary URLs, longest side of an image. */
export const FILE_RETENTION_DAYS = 90;
export const TEMPORARY_URL_DAYS = 7;
export const MAX_IMAGE_SIDE = 1500;

export const FILE_KINDS = ['image', 'video', 'audio', 'document'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export const ALLOWED_MIME_TYPES: Record<FileKind, string[]> = {
	image: ['image/jpeg', 'image/png', 'image/webp'],
	video: ['video/mp4', 'video/3gpp', 'video/quicktime'],
	audio: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
	document: [
		'application/pdf',
		'application/msword',
		'application/vnd.ms-excel',
		'application/vnd.ms-powerpoint',
		'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
		'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
		'application/vnd.openxmlformats-officedocument.presentationml.presentation',
		'text/plain',
		'text/csv',
	],
};

/** A megabyte is 1024 × 1024 bytes. */
export const MEGABYTE = 1024 * 1024;
export const MEDIA_SIZE_LIMITS: Record<'regular_mb' | 'temporary_upload_mb', Record<FileKind, number>> = {
	regular_mb: { image: 5, video: 16, audio: 16, document: 100 },
	temporary_upload_mb: { image: 10, video: 32, audio: 20, document: 110 },
};

// --- Support data ---------------------------------------------------------------------------------------------------

export interface Channel {
	channel: string;
	label: string;
	gdpr_approved: boolean;
	conversation_capabilities: string[];
	message_type: string[];
	session_hours: number;
}

export const CHANNELS: Channel[] = [
	{
		channel: 'chatapp',
		label: 'Chat App',
		gdpr_approved: true,
		conversation_capabilities: ['templates', 'media', 'reactions', 'references'],
		message_type: ['text', 'image', 'video', 'audio', 'document', 'location', 'contact', 'template'],
		session_hours: 24,
	},
	{
		channel: 'webchat',
		label: 'Web Chat',
		gdpr_approved: true,
		conversation_capabilities: ['media', 'references'],
		message_type: ['text', 'image', 'document'],
		session_hours: 1,
	},
	{
		channel: 'sms',
		label: 'SMS',
		gdpr_approved: false,
		conversation_capabilities: [],
		message_type: ['text'],
		session_hours: 720,
	},
];

/** Types that POST /conversations/{id}/messages takes, and the member each one needs. */
export const MESSAGE_TYPES = {
	text: 'text',
	image: 'file',
	video: 'file',
	audio: 'file',
	document: 'file',
	location: 'location',
	contact: 'contact',
} as const;

export const ACTIVITY_TYPES = [
	{ type: 'privacy_message', label: 'Privacy message sent' },
	{ type: 'marketing_opt_in', label: 'Marketing opt-in' },
	{ type: 'marketing_opt_out', label: 'Marketing opt-out' },
	{ type: 'first_contact', label: 'First contact' },
];

export const TEMPLATE_LANGUAGES = [
	{ language: 'Dutch', code: 'nl' },
	{ language: 'English', code: 'en' },
	{ language: 'English (UK)', code: 'en_GB' },
	{ language: 'English (US)', code: 'en_US' },
	{ language: 'French', code: 'fr' },
	{ language: 'German', code: 'de' },
	{ language: 'Italian', code: 'it' },
	{ language: 'Portuguese (BR)', code: 'pt_BR' },
	{ language: 'Spanish', code: 'es' },
];

const PRICES = [
	['Germany', 0.1131, 0.0456, 0.0636, null],
	['United Kingdom', 0.0432, 0.018, 0.0293, null],
	['India', 0.0087, 0.0012, 0.0012, 0.0228],
	['Rest of Western Europe', 0.0483, 0.0251, null, null],
] as const;
export const PRICING = PRICES.map(([market, marketing, utility, authentication, international]) => ({
	...{ market, currency: 'EUR', marketing, utility, authentication },
	...{ authentication_international: international, service: 0 },
}));

export const CALLING_CODES = [
	{ country: 'Germany', region: null, calling_code: '49' },
	{ country: 'United Kingdom', region: null, calling_code: '44' },
	{ country: 'India', region: null, calling_code: '91' },
	{ country: 'Austria', region: 'Rest of Western Europe', calling_code: '43' },
	{ country: 'Switzerland', region: 'Rest of Western Europe', calling_code: '41' },
];

// --- Customers and profiles -----------------------------------------------------------------------------------------

/** Digits of an international number: E.164 allows at most 15. */
export const DISPLAY_ID = /^[1-9][0-9]{6,14}$/;

/** Fields that `search` on /profiles looks into, as a case-insensitive part. */
export const SEARCHED_PROFILE_FIELDS = ['name', 'email', 'phone_number'] as const;

/** Fields that `order_by` on /profiles takes. */
export const SORTABLE_PROFILE_FIELDS = [
	...(['id', 'name', 'email', 'phone_number', 'date_of_birth', 'created_at', 'updated_at'] as const),
] as const;

// --- Messages -------------------------------------------------------------------------------------------------------

/** Statuses of an agent's message: `created` is shown, `failed` marks one that carries `latest_error`. */
export const MESSAGE_STATUSES = ['created', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** What a reply after the end of its session carries. A session starts with a customer's message. */
export const SESSION_EXPIRED = {
	type: 'session_expired',
	original_message: '(#131047) Re-engagement message: the session of this conversation has expired',
	user_friendly_message: 'The customer has not written for too long. Send a template to start again.',
};

/** Only approved templates can be sent; a created one is approved at once. */
export const TEMPLATE_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];

// --- Webhooks -------------------------------------------------------------------------------------------------------

export const WEBHOOK_EVENT = 'new-agent-message';

/** Headers of a delivery: its event and id, and, when asked for, its signature. */
export const WEBHOOK_HEADERS = {
	event: 'x-sandbox-event',
	delivery: 'x-sandbox-delivery',
	signature: 'x-sandbox-signature',
} as const;

/** How long a receiver may take to answer, in milliseconds; nothing is repeated by itself. */
export const WEBHOOK_TIMEOUT_MS = 15_000;
