/** A delivery that was seen. */
interface Seen {
	/** Time of its arrival in seconds since 1970. */
	second: number;
	/** Its conversation; empty if it is not known. */
	conversation: string;
}

/** The part of the memory above which a conversation replaces only its own deliveries. */
const FAIR_PART = 0.1;

/**
 * Keys of deliveries, the oldest first, up to a maximum. If they are full, a flood in one conversation does not push out
 * those of the others.
 */
export class SeenDeliveries {
	private readonly seen = new Map<string, Seen>();

	private readonly conversations = new Map<string, Set<string>>();

	constructor(private readonly maximum: number) {}

	get(key: string): Seen | undefined {
		return this.seen.get(key);
	}

	/** Adds a delivery as the newest one. */
	add(key: string, { second, conversation }: Seen): void {
		this.delete(key);
		this.seen.set(key, { second, conversation });
		const keys = this.conversations.get(conversation) ?? new Set<string>();
		this.conversations.set(conversation, keys.add(key));
		if (this.seen.size <= this.maximum) return;
		const [oldest] = keys.size > this.maximum * FAIR_PART ? keys : this.seen.keys();
		this.delete(oldest);
	}

	delete(key: string): void {
		const conversation = this.seen.get(key)?.conversation ?? '';
		const keys = this.conversations.get(conversation);
		keys?.delete(key);
		if (keys?.size === 0) this.conversations.delete(conversation);
		this.seen.delete(key);
	}

	/** Deletes the deliveries that arrived before a time, up to the first younger one. */
	deleteBefore(second: number): void {
		for (const [key, one] of this.seen) {
			if (one.second >= second) break;
			this.delete(key);
		}
	}

	/** The keys with the times of their arrival, the oldest first. */
	*entries(): Generator<[string, number]> {
		for (const [key, { second }] of this.seen) yield [key, second];
	}
}
