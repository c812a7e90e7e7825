import type { Entry } from './history.mts';

const COLUMNS = 3;
const CELL = { width: 330, height: 110 };
const PLOT = { top: 44, bottom: 96, left: 8, right: 262 };

const STYLE = `text{font:11px system-ui,sans-serif;fill:#1f2328}.figure{font-weight:600}.base{stroke:#8c959f;stroke-width:.5}
.line{fill:none;stroke:#0969da;stroke-width:1.5}.point{fill:#0969da}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.line{stroke:#4493f8}.point{fill:#4493f8}}`;

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The figure of an entry that a chart compares with earlier ones: how many times better, or our own where nobody else has one. */
const valueOf = ({ ratio, ours }: Entry) => Number(ratio === '' ? ours : ratio);

/** A title of at most two lines. */
function titleLines({ measure, peer }: Entry): string[] {
	const [first, rest] = /^(.{0,52})(?:\s(.*))?$/.exec(measure)?.slice(1) ?? [measure];
	const second = [rest, peer && `vs. ${peer}`].filter(Boolean).join(' ');
	return [first, second.length > 54 ? `${second.slice(0, 53)}…` : second];
}

/** One measure through all runs, from 0 to its highest value. */
function cell(runs: Array<Entry | undefined>, index: number): string {
	const entries = runs.filter((entry) => entry !== undefined);
	const newest = entries[entries.length - 1];
	const most = Math.max(...entries.map(valueOf));
	const x = (run: number) =>
		runs.length === 1 ? PLOT.right : PLOT.left + ((PLOT.right - PLOT.left) * run) / (runs.length - 1);
	const y = (value: number) => PLOT.bottom - (most > 0 ? ((PLOT.bottom - PLOT.top) * value) / most : 0);
	const points = runs.flatMap((entry, run) =>
		entry === undefined ? [] : [[x(run), y(valueOf(entry))].map((at) => at.toFixed(1))],
	);
	const unit = newest.ratio === '' ? ` ${newest.unit}` : ' ×';
	const [first, second] = titleLines(newest).map(escaped);
	const at = `${(index % COLUMNS) * CELL.width},${Math.floor(index / COLUMNS) * CELL.height}`;
	return `<g transform="translate(${at})">
<text x="${PLOT.left}" y="16">${first}</text><text x="${PLOT.left}" y="31">${second}</text>
<path class="base" d="M${PLOT.left} ${PLOT.bottom}H${PLOT.right}"/>
<polyline class="line" points="${points.map((point) => point.join(',')).join(' ')}"/>
${points.map(([cx, cy]) => `<circle class="point" cx="${cx}" cy="${cy}" r="2"/>`).join('')}
<text class="figure" x="${PLOT.right + 6}" y="${y(valueOf(newest)) + 4}">${Number(valueOf(newest).toPrecision(3))}${escaped(unit)}</text>
</g>`;
}

/** An SVG with one small chart for each measure that has something to compare, the newest run at the right. */
export function chartOf(entries: Entry[]): string {
	const keyOf = ({ measure, peer }: Entry) => `${measure}\n${peer}`;
	const runs = [...new Set(entries.map(({ run }) => run))].map(
		(run) => new Map(entries.filter((entry) => entry.run === run).map((entry) => [keyOf(entry), entry])),
	);
	const newest = [...(runs.at(-1) ?? [])].filter(([, { ratio, peer }]) => ratio !== '' || peer === '');
	const height = Math.ceil(newest.length / COLUMNS) * CELL.height;
	const cells = newest.map(([key], index) =>
		cell(
			runs.map((run) => run.get(key)),
			index,
		),
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${COLUMNS * CELL.width}" height="${height}" role="img" aria-label="Each measure through all runs">
<style>${STYLE}</style>
${cells.join('\n')}
</svg>
`;
}
