import { MESSAGE_FROM, MESSAGE_SOURCE, MESSAGE_STATUS } from '../choices.mts';
import { DAY, HOUR } from '../clock.mts';
import { seededRandom } from '../random.mts';
import type { Store } from '../store/store.mts';

export interface SeedOptions {
	/** Customers to add, each with its profile. */
	profiles: number;
	/** How many of them get a conversation with a few messages. */
	conversations?: number;
	/** The same seed gives the same people. */
	seed?: number;
}

/** The same as a schema. */
export const SEED = {
	type: 'object',
	required: ['profiles'],
	additionalProperties: false,
	properties: {
		profiles: { type: 'integer', minimum: 1, maximum: 100_000 },
		conversations: { type: 'integer', minimum: 0, maximum: 100_000 },
		seed: { type: 'integer', minimum: 0 },
	},
};

/** Invented people get numbers from here on, one after another. */
const FIRST_NUMBER = 4_915_200_000_000;

const FIRST_NAMES = [
	'Alva',
	'Bela',
	'Caro',
	'Dario',
	'Elin',
	'Finn',
	'Greta',
	'Hugo',
	'Ida',
	'Juno',
	'Kalle',
	'Lia',
	'Milo',
	'Nora',
	'Otis',
	'Pia',
];
const LAST_NAMES = [
	'Ahornblatt',
	'Birkenfeld',
	'Cedarwood',
	'Distelweg',
	'Eschenbach',
	'Fernhill',
	'Ginsterberg',
	'Heathfield',
	'Ivyhouse',
	'Juniper',
	'Kornblum',
	'Lindholm',
];
const TAGS = ['Seeded', 'Spring campaign', 'Autumn campaign', 'Loyal', 'Dormant'];
const QUESTIONS = [
	'Hello, is anybody there?',
	'When will my parcel arrive?',
	'Thank you, that helped.',
	'Can I still change my order?',
	'The address has changed, sorry.',
];
const ANSWERS = [
	'Sure, one moment please.',
	'It will be there tomorrow.',
	'Done. Is there anything else?',
	'You are welcome!',
];

function pick<Item>(items: Item[], random: () => number): Item {
	return items[Math.floor(random() * items.length)];
}

/**
 * Adds invented customers with profiles, some with tags, consent and conversations, in one transaction.
 * @returns how many were added and how long it took.
 */
export function seed(store: Store, { profiles, conversations = 0, seed: start = 1 }: SeedOptions) {
	const startedAt = performance.now();
	const random = seededRandom(start);
	const randomOfTalk = seededRandom(start + 1);
	const { database } = store;
	database.transaction(() => {
		const last = database.get<{ number: number | null }>(
			`SELECT max(CAST(display_id AS INTEGER)) AS number FROM customers
			WHERE channel = 'chatapp' AND display_id BETWEEN '4915200000000' AND '4915299999999'`,
		)?.number;
		const firstNumber = (last ?? FIRST_NUMBER - 1) + 1;
		const tagIds = TAGS.map((title) => (store.tags.byTitle(title) ?? store.tags.create(title)).id);
		const now = store.clock.iso();
		for (let index = 0; index < profiles; index++) {
			const number = String(firstNumber + index);
			const name = `${pick(FIRST_NAMES, random)} ${pick(LAST_NAMES, random)}`;
			const optIn = random() < 0.5;
			const customerId = database.run(
				'INSERT INTO customers (channel, display_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
				'chatapp',
				number,
				name,
				now,
				now,
			).id;
			const profileId = database.run(
				`INSERT INTO profiles (customer_id, channel, name, phone_number, email, marketing_opt_in, created_at, updated_at)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				customerId,
				'chatapp',
				name,
				number,
				`${name.toLowerCase().replace(' ', '.')}.${number.slice(-6)}@mail.example`,
				optIn ? 1 : null,
				now,
				now,
			).id;
			if (optIn) store.profiles.addActivity(profileId, 'marketing_opt_in');
			if (random() < 0.4) store.tags.attach('profile', profileId, pick(tagIds, random));
			if (index < conversations) addTalk(store, customerId, randomOfTalk);
		}
	});
	return { profiles, duration_ms: Math.round(performance.now() - startedAt) };
}

/** A few messages to and fro within the last days. */
function addTalk(store: Store, customerId: number, random: () => number): void {
	const agentId = store.agents.list('chatapp').records.at(0)?.id ?? null;
	let at = store.clock.now() - Math.floor(random() * 3 * DAY) - HOUR;
	const { id } = store.conversations.create(customerId, agentId, null, at);
	const count = 1 + Math.floor(random() * 5);
	for (let index = 0; index < count; index++) {
		const isCustomer = index % 2 === 0;
		at += Math.floor((random() * HOUR) / 5);
		store.conversations.addMessage({
			conversation_id: id,
			from: isCustomer ? MESSAGE_FROM.customer : MESSAGE_FROM.agent,
			source: isCustomer ? MESSAGE_SOURCE.customer : MESSAGE_SOURCE.api,
			contents: [{ type: 'text', text: { content: pick(isCustomer ? QUESTIONS : ANSWERS, random) } }],
			status: isCustomer ? MESSAGE_STATUS.received : MESSAGE_STATUS.created,
			at,
		});
		if (isCustomer) store.conversations.assign(id, { session_started_at: at });
	}
}
