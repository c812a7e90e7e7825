import { readFileSync } from 'node:fs';

import { chartOf } from '../bench/chart.mts';
import { CHART_FILE, type Entry, entriesOf, HISTORY_FILE, historyText } from '../bench/history.mts';

const entry: Entry = {
	...{ run: '2026-01-01T10:00', version: '0.1.0', n8n: '2.0.0', load: '0.1', unit: 's' },
	...{
		measure: '1,000 writes: the "time" <of it>',
		peer: 'HTTP Request',
		theirs: '4',
		ours: '2',
		ratio: '2',
	},
};

it('reads the history as it was written', () => {
	const entries = [entry, { ...entry, run: '2026-01-02T10:00', peer: '', theirs: '', ratio: '' }];
	expect(entriesOf(historyText(entries))).toEqual(entries);
});

it('has a history that reads as it is written, and its chart', () => {
	const text = readFileSync(HISTORY_FILE, 'utf8');
	expect(historyText(entriesOf(text))).toBe(text);
	expect(readFileSync(CHART_FILE, 'utf8')).toBe(chartOf(entriesOf(text)));
});

it('draws a point for each run that has the measure, and the newest figure', () => {
	const other = { ...entry, measure: 'Another' };
	const chart = chartOf([
		...[entry, other],
		{ ...other, run: '2026-01-02T10:00' },
		...[
			{ ...entry, run: '2026-01-03T10:00', ratio: '1' },
			{ ...other, run: '2026-01-03T10:00' },
		],
	]);
	const [, first, second] = chart.split('<g ');
	expect(first).toContain('1,000 writes: the "time" &#60;of it&#62;');
	expect(first.match(/<circle/g)).toHaveLength(2);
	expect(first).toContain('points="8.0,44.0 262.0,70.0"');
	expect(first).toContain('>1 ×<');
	expect(second.match(/<circle/g)).toHaveLength(3);
});

it('leaves out what has a peer but nothing to compare, and shows our own figure where there is no peer', () => {
	const chart = chartOf([
		{ ...entry, ratio: '' },
		{ ...entry, measure: 'Packed size', unit: 'kB', peer: '', theirs: '', ours: '181', ratio: '' },
	]);
	expect(chart.match(/<g /g)).toHaveLength(1);
	expect(chart).toContain('>181 kB<');
});
