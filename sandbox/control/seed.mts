import { DAY, HOUR } from '../clock.mts';
import { seededRandom } from '../random.mts';
import { existing } from '../refusal.mts';
import type { Store } from '../store/store.mts';

export interface SeedOptions {
	/** Customers to add, each with its profile. */
	profiles: number;
	/** How many of them get a conversation with a few messages. */
	conversations?: number;
	/** The same seed gives the same people. */
	seed?: number;
}

const MOST = 100_000;

/** The same as a schema. */
export const SEED = {
	type: 'object',
	required: ['profiles'],
	additionalProperties: false,
	properties: {
		profiles: { type: 'integer', minimum: 1, maximum: MOST },
		conversations: { type: 'integer', minimum: 0, maximum: MOST },
		seed: { type: 'integer', minimum: 0 },
	},
};

/** Invented people get numbers from here on, one after another. */
const FIRST_NUMBER = 4_915_200_000_000;

const FIRST_NAMES = 'Alva Bela Caro Dario Elin Finn Greta Hugo Ida Juno Kalle Lia Milo Nora Otis Pia'.split(
	' ',
);
const LAST_NAMES =
	'Ahornblatt Birkenfeld Cedarwood Distelweg Eschenbach Fernhill Ginsterberg Heathfield Ivyhouse Juniper Kornblum Lindholm'.split(
		' ',
	);
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

const pick = <Item,>(items: Item[], random: () => number): Item => items[Math.floor(random() * items.length)];

/**
 * Adds invented customers with profiles, some with tags, consent and conversations.
 * @returns how many were added and how long it took.
 */
export function seed(store: Store, { profiles, conversations = 0, seed: start = 1 }: SeedOptions) {
	const startedAt = performance.now();
	const [random, randomOfTalk] = [seededRandom(start), seededRandom(start + 1)];
	const tagIds = TAGS.map((title) => (store.tags.byTitle(title) ?? store.tags.create(title)).id);
	let number = FIRST_NUMBER;
	for (let index = 0; index < profiles; index++, number++) {
		while (store.customers.byDisplayId('chatapp', String(number))) number++;
		const name = `${pick(FIRST_NAMES, random)} ${pick(LAST_NAMES, random)}`;
		const optIn = random() < 0.5;
		const email = `${name.toLowerCase().replace(' ', '.')}.${String(number).slice(-6)}@mail.example`;
		const customer = store.customers.create('chatapp', String(number), name, { email });
		const { id } = existing(store.profiles.ofCustomer(customer.id), 'Profile');
		if (optIn) store.profiles.setConsent(id, true);
		if (random() < 0.4) store.tags.attach('profile', id, pick(tagIds, random));
		if (index < conversations) addTalk(store, customer.id, randomOfTalk);
	}
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
		if (isCustomer) store.conversations.receive(id, pick(QUESTIONS, random), at);
		else {
			const contents = [{ type: 'text', text: { content: pick(ANSWERS, random) } }];
			const message = { from: 'agent', source: 'api', contents, status: 'created' };
			store.conversations.addMessage({ conversation_id: id, ...message, at });
		}
	}
}
