/** What an account can keep or not, as docs/running.md has it, and what breaks in the package where it does not. */
export const ROWS = {
	body: { title: 'Body', breaks: 'the operation fails' },
	record: { title: 'Record', breaks: 'the item lacks the fields of the record' },
	list: { title: 'List', breaks: 'the list fails or lacks records' },
	next: { title: 'Next page', breaks: 'the list fails after its first page' },
	whole: { title: 'Whole list', breaks: 'the list fails, with the number of records that were read' },
	failure: { title: 'Failure', breaks: 'a failure counts as a success' },
	errorText: { title: 'Error text', breaks: 'the error says only what the status means' },
	sent: { title: 'Sent message', breaks: '' },
	ids: { title: 'IDs', breaks: 'the record cannot be chosen, changed or deleted' },
	wait: { title: 'Status 429 or 503', breaks: 'requests are repeated too early' },
	times: { title: 'Times', breaks: 'the polling trigger cannot tell what is new' },
	deliveries: { title: 'Deliveries', breaks: '' },
} as const;

export type Row = keyof typeof ROWS;

const NOT_SEEN: Partial<Record<Row, string>> = {
	next: 'no list has more than one page',
	whole: 'no list says how many records it has',
	sent: 'the check only reads',
	wait: 'the account did not ask to wait',
	deliveries: 'the check receives no webhooks',
};

/** What was seen, row by row. It holds words of this project only: paths of the interface, and nothing of a response. */
export class Report {
	private readonly kept = new Map<Row, Set<string>>();
	private readonly broken = new Map<Row, Map<string, Set<string>>>();
	private readonly unread: string[] = [];

	/** Notes that a response keeps a row, and in which form. */
	keeps(row: Row, form: string): void {
		this.kept.set(row, (this.kept.get(row) ?? new Set()).add(form));
	}

	/** Notes what a response has in place of what a row says. */
	breaks(row: Row, request: string, seen: string): void {
		const problems = this.broken.get(row) ?? new Map<string, Set<string>>();
		this.broken.set(row, problems.set(seen, (problems.get(seen) ?? new Set()).add(request)));
	}

	/** Notes a request whose response says nothing. */
	cannotRead(request: string, why: string): void {
		this.unread.push(`${request} (${why})`);
	}

	/** Whether a row was seen at all. */
	has(row: Row): boolean {
		return this.kept.has(row) || this.broken.has(row);
	}

	/** The report for people, a line for each row. */
	lines(): string[] {
		const rows = (Object.keys(ROWS) as Row[]).map((row) => {
			const [verdict, what] = this.verdictOf(row);
			return `${verdict.padEnd(16)}  ${ROWS[row].title.padEnd(18)}  ${what}`;
		});
		return this.unread.length > 0 ? [...rows, '', `Not read: ${this.unread.join(', ')}.`] : rows;
	}

	private verdictOf(row: Row): [verdict: string, what: string] {
		const problems = [...(this.broken.get(row) ?? [])].map(([seen, requests]) => {
			const [first, ...others] = requests;
			return `${first}${others.length > 0 ? ` and ${others.length} more` : ''}: ${seen}`;
		});
		if (problems.length > 0)
			return ['does not keep it', `${problems.join('; ')}. What breaks: ${ROWS[row].breaks}`];
		const forms = this.kept.get(row);
		return forms ? ['keeps it', [...forms].join(', ')] : ['not seen', NOT_SEEN[row] ?? ''];
	}
}
