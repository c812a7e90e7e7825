/** Spans of time in milliseconds. */
export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

/** A span of time. Negative ones lead back. */
export interface Span {
	days?: number;
	hours?: number;
	minutes?: number;
	seconds?: number;
}

/** The milliseconds of a span. */
export const lengthOf = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Span) =>
	days * DAY + hours * HOUR + (minutes * 60 + seconds) * 1000;

/** Times beyond these cannot be written as the interface writes them. A day is left for the clock to run on. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z') - DAY;

/**
 * The sandbox's time: real time plus an offset that can be moved. Everything that depends on time (retention, temporary
 * URLs, sessions, PIN lockout, `created_at`) reads it from here.
 */
export class Clock {
	private offset = 0;

	/** Milliseconds since 1970. */
	now(): number {
		return Date.now() + this.offset;
	}

	/** ISO 8601, UTC. */
	iso(milliseconds = this.now()): string {
		return new Date(milliseconds).toISOString();
	}

	/** Moves forward, by milliseconds or a span such as `{ hours: 25 }`. @throws RangeError as `set` */
	advance(by: number | Span): void {
		this.set(this.now() + (typeof by === 'number' ? by : lengthOf(by)));
	}

	/**
	 * Makes it the given time now, in milliseconds since 1970; it runs on from there.
	 * @throws RangeError when its time could not be written
	 */
	set(time: number): void {
		if (!(time >= EARLIEST && time <= LATEST)) {
			throw new RangeError('The clock goes from the year 1 to the year 9999.');
		}
		this.offset = time - Date.now();
	}

	/** Milliseconds ahead of real time. */
	ahead(): number {
		return Math.round(this.offset);
	}

	/** Back to real time. */
	reset(): void {
		this.offset = 0;
	}
}
