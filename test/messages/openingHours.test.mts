import { DateTime, IANAZone } from 'luxon';

import { firstWithin, type Hours } from '../../nodes/CustomerMessaging/messages/sendingHours.ts';
import { oneOf, upTo } from '../engine/chance.mts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Clocks that change by half an hour, by two hours, at midnight, and to before midnight. Others come by chance. */
const ODD_ZONES = [
	'Australia/Lord_Howe',
	'Antarctica/Troll',
	'Africa/Cairo',
	'America/Havana',
	'Asia/Beirut',
];
const ZONES = [...ODD_ZONES, ...Array.from({ length: 5 }, () => oneOf(Intl.supportedValuesOf('timeZone')))];

const offsetOf = (zone: string, at: number) => IANAZone.create(zone).offset(at) * MINUTE;

/** The days in UTC, of a year, within which the clock of a zone changes. */
function changesOf(zone: string): number[] {
	const weeks = Array.from({ length: 52 }, (_, week) => Date.UTC(2026, 0, 1) + week * 7 * DAY);
	const changes = (from: number, span: number) => offsetOf(zone, from) !== offsetOf(zone, from + span);
	return weeks
		.filter((week) => changes(week, 7 * DAY))
		.map(
			(week) => [0, 1, 2, 3, 4, 5, 6].map((day) => week + day * DAY).find((day) => changes(day, DAY)) ?? week,
		);
}

/** What the clock on the wall shows in each minute from days before a change to days after it, as if it were in UTC. */
function minutesAround(zone: string, change: number): Array<{ at: number; wall: number }> {
	let offset = 0;
	return Array.from({ length: 13 * 1440 }, (_, minute) => {
		const at = change - 3 * DAY + minute * MINUTE;
		// To ask for the offset takes long, and no clock changes between two quarters of an hour.
		if (minute % 15 === 0) offset = offsetOf(zone, at);
		return { at, wall: at + offset };
	});
}

/** When each window opens and closes: at the first minute in which the clock has reached that day and time. */
function windowsOf(minutes: ReturnType<typeof minutesAround>, { days, daysOff, from, to }: Hours) {
	const reached = (wall: number) => minutes.find((minute) => minute.wall >= wall)?.at ?? NaN;
	const first = Math.ceil(minutes[0].wall / DAY) * DAY;
	return Array.from({ length: 11 }, (_, index) => first + index * DAY)
		.filter((day) => days.includes(new Date(day).getUTCDay() || 7))
		.filter((day) => !daysOff.includes(new Date(day).toISOString().slice(0, 10)))
		.map((day) => [reached(day + from * MINUTE), reached(day + (to > from ? to : to + 1440) * MINUTE)]);
}

it.each(ZONES)(
	'around the clock changes of %s, hours are those of a clock that is read each minute',
	(zone) => {
		for (const change of changesOf(zone)) {
			const minutes = minutesAround(zone, change);
			for (let round = 0; round < 8; round++) {
				const [from, to] = [upTo(round % 2 ? 240 : 1440), upTo(round % 2 ? 240 : 1440) + 1];
				const hours: Hours = {
					...{ from, to: to === from ? to + 1 : to },
					days: oneOf([
						[1, 2, 3, 4, 5, 6, 7],
						[7, 1, 6],
						[5, 7],
					]),
					daysOff: oneOf([[], [new Date(change + upTo(2) * DAY).toISOString().slice(0, 10)]]),
				};
				const windows = windowsOf(minutes, hours);
				const edges = windows.flat().filter((edge) => Math.abs(edge - change) < 2 * DAY);
				const nows = [
					...edges.flatMap((edge) => [edge - 1, edge, edge + MINUTE]),
					...Array.from({ length: 3 }, () => change + upTo(2 * DAY)),
				];
				for (const now of nows) {
					const expected = windows
						.filter(([begin, end]) => begin < end && now < end)
						.map(([begin]) => Math.max(begin, now))[0];
					const found = firstWithin(DateTime.fromMillis(now, { zone }), hours)?.toMillis();
					expect({ now: new Date(now), hours, first: found && new Date(found) }).toEqual({
						...{ now: new Date(now), hours, first: new Date(expected) },
					});
				}
			}
		}
	},
);
