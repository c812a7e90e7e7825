/** Spans of time in milliseconds. */
export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

/**
 * The sandbox's time: real time plus an offset that the control plane can move. Everything that depends on time
 * (retention, temporary URLs, sessions, PIN lockout, `created_at`) reads it from here.
 */
export class Clock {
	private offset: number;

	private moved = () => {};

	/** @param offset milliseconds ahead of real time. */
	constructor(offset = 0) {
		this.offset = offset;
	}

	/** Milliseconds since 1970. */
	now(): number {
		return Date.now() + this.offset;
	}

	/** ISO 8601, UTC. */
	iso(milliseconds = this.now()): string {
		return new Date(milliseconds).toISOString();
	}

	/** Calls this whenever the clock is moved. */
	onMove(moved: () => void): void {
		this.moved = moved;
	}

	/** Moves forward, or back when negative. */
	advance(milliseconds: number): void {
		this.offset += milliseconds;
		this.moved();
	}

	/** Makes it the given time now; it runs on from there. */
	set(milliseconds: number): void {
		this.offset = milliseconds - Date.now();
		this.moved();
	}

	/** Milliseconds ahead of real time. */
	ahead(): number {
		return this.offset;
	}

	/** Makes it so many milliseconds ahead of real time. */
	setAhead(milliseconds: number): void {
		this.offset = milliseconds;
		this.moved();
	}

	/** Back to real time. */
	reset(): void {
		this.setAhead(0);
	}
}
