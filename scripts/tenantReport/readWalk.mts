import { CHOICES } from '../../sandbox/choices.mts';
import { type ContractOperation, operations } from '../../sandbox/contract.mts';
import { isPaged } from './differences.mts';
import { MOST_LEVELS } from './exchange.mts';
import type { Findings } from './findings.mts';
import { ReportProblem, Unanswered } from './problem.mts';
import { nextOf, OTHER, recordsOf } from './recognition.mts';
import { choose, statusText } from './rules.mts';
import type { Answer, Question, TenantClient } from './tenantClient.mts';
import { isRecord } from './vocabulary.mts';

type Id = number | string;

/** So many records are tried until one has what is looked for. */
const MOST_RECORDS = 3;

/** So many requests in a row without an answer, or with a refused token, end the check. */
const MOST_FAILURES = 3;

/** The choice of a tenant by what `per_page` does on the profiles and on another list. */
const BOTH_SIZES: Partial<Record<string, string>> = {
	'obeyed obeyed': 'everywhere',
	'obeyed ignored': 'where-shown',
};

/** An id that no record has. */
const MISSING_ID = 999_999_937;

const isId = (id: unknown): id is Id => typeof id === 'number' || typeof id === 'string';

/** The IDs that records show in one of these members. */
const idsOf = (records: unknown[] = [], ...names: string[]): Id[] =>
	records.flatMap((record) =>
		isRecord(record)
			? names
					.map((name) => record[name])
					.filter(isId)
					.slice(0, 1)
			: [],
	);

const recordIds = (json: unknown) => idsOf(recordsOf(json), 'id', 'uuid');

const parametersIn = (path: string) => path.split('{').length - 1;

/** Reads of the contract: first who is asking, then what needs no ids, then what does. */
const READS = operations()
	.filter(({ method }) => method === 'GET')
	.sort(
		(a, b) =>
			Number(b.path === '/me') - Number(a.path === '/me') || parametersIn(a.path) - parametersIn(b.path),
	);

const REFUSED = 'The tenant refuses the token (401): check it, and that it belongs to this tenant.';
const NO_INTERFACE = 'at this domain: the answer to GET /third-party/v1/me';

/** Why a first answer ends the check, by its status and what its body holds. */
const FIRST_PROBLEMS: Array<[answer: RegExp, problem: string]> = [
	[/^401/, REFUSED],
	[/^404/, `There is no interface ${NO_INTERFACE} was 404. Check the domain.`],
	[
		/^3/,
		'The tenant redirects to another address ({status}), which the token is not sent to: name the host that it redirects to.',
	],
	[/^5/, 'The tenant is out of order ({status}): try again later.'],
	[/^2.*large/, `There is no usable interface ${NO_INTERFACE} is too large. Check the domain.`],
	[
		/^2.*deep/,
		`There is no usable interface ${NO_INTERFACE} nests too deeply: more than ${MOST_LEVELS} levels. Check the domain.`,
	],
	[/^2\S+ (?!json)/, `There is no interface ${NO_INTERFACE} was no JSON. Check the domain.`],
];

/** @throws ReportProblem when the first answer is none of the interface */
function checkFirst({ status, content: { kind } }: Answer): void {
	const problem = FIRST_PROBLEMS.find(([answer]) => answer.test(`${status} ${kind}`))?.[1];
	if (problem !== undefined) throw new ReportProblem(problem.replace('{status}', String(status)));
}

/** Reads everything that the contract lets read, and tries the parameters of pages. */
export class ReadWalk {
	/** Ids of records by the path of their list. They stay in memory. */
	private readonly ids = new Map<string, Id[]>();

	/** The first page of each list, by its path. */
	private readonly lists = new Map<string, { operation: ContractOperation; answer: Answer }>();

	private failures = 0;

	constructor(
		private readonly client: TenantClient,
		private readonly findings: Findings,
	) {}

	/** @throws ReportProblem when the tenant cannot be read at all */
	async run(): Promise<void> {
		for (const operation of READS) await this.read(operation);
		const tag = READS.find(({ operationId }) => operationId === 'getTag');
		if (tag) await this.get(tag, `/tags/${MISSING_ID}`, { isMissing: true });
		await this.tryPages();
		await this.tryProfiles();
	}

	private async get(
		operation: ContractOperation,
		path: string,
		question?: Question,
	): Promise<Answer | undefined> {
		try {
			const answer = await this.client.send('GET', path, question);
			// A token that is refused everywhere is not tried for ever.
			if (answer.status !== 401) this.failures = 0;
			else if (path !== '/me' && ++this.failures === MOST_FAILURES) throw new ReportProblem(REFUSED);
			return answer;
		} catch (error) {
			if (!(error instanceof Unanswered)) throw error;
			if (path === '/me' || ++this.failures === MOST_FAILURES) throw error;
			this.findings.add(operation, { rule: 'noAnswer', came: error.came });
			return undefined;
		}
	}

	/** Paths of an operation, filled with ids that were read. */
	private pathsOf(template: string): string[] {
		let paths = [''];
		for (const segment of template.split('/').slice(1)) {
			paths = paths.flatMap((path) =>
				segment.startsWith('{')
					? (this.ids.get(path) ?? []).slice(0, MOST_RECORDS).map((id) => `${path}/${encodeURIComponent(id)}`)
					: [`${path}/${segment}`],
			);
		}
		return paths.slice(0, MOST_RECORDS);
	}

	/** Reads an operation, with other ids as long as there is nothing to see. */
	private async read(operation: ContractOperation): Promise<void> {
		const { operationId, path: template } = operation;
		const paths = this.pathsOf(template);
		if (paths.length === 0) this.findings.notRead.set(operationId, 'no record for it was shown');
		for (const path of paths) {
			const answer = await this.get(operation, path);
			if (!answer) return;
			if (path === '/me') checkFirst(answer);
			if (answer.status >= 300) continue;
			const records = recordsOf(answer.json);
			if (!records) return;
			this.ids.set(path, recordIds(answer.json));
			if (!template.includes('{')) this.lists.set(path, { operation, answer });
			// Files have no list; those of the library are known.
			if (path === '/media') this.ids.set('/files', idsOf(records, 'internal_uuid'));
			if (records.length > 0) return;
		}
	}

	/** Asks for pages of one record, and for the second page of lists as the node does. */
	private async tryPages(): Promise<void> {
		/** What `per_page` did on the profiles, where the interface has it, and on the first other list. */
		const sizes: Partial<Record<'other' | 'profiles', string>> = {};
		for (const [path, { operation, answer }] of this.lists) {
			const list = path === '/profiles' ? 'profiles' : 'other';
			const isTried = (this.ids.get(path)?.length ?? 0) > 1 && isPaged(operation) && !(list in sizes);
			const query = { per_page: '1' };
			const small = isTried ? await this.get(operation, path, { query }) : undefined;
			const count = recordsOf(small?.json)?.length ?? 0;
			if (isTried) sizes[list] = undefined;
			if (small && small.status >= 400) sizes[list] = String(small.status);
			// A short list says nothing.
			else if (count > 0) sizes[list] = count > 1 ? 'ignored' : 'obeyed';
			if (small && sizes[list] === 'obeyed') await this.tryNext(operation, path, small, query);
			else await this.tryNext(operation, path, answer, {});
		}
		const { profiles, other = profiles === 'obeyed' ? 'ignored' : profiles } = sizes;
		const list = this.lists.get('/profiles');
		if (!list || profiles === undefined) return;
		const values: readonly string[] = CHOICES.pageSize;
		const both = BOTH_SIZES[`${profiles} ${other}`];
		const same = profiles === other && values.includes(profiles) ? profiles : OTHER;
		this.findings.add(list.operation, choose('pageSize', both ?? same));
	}

	/** Asks for the page after a page. */
	private async tryNext(
		operation: ContractOperation,
		path: string,
		page: Answer,
		query: Record<string, string>,
	): Promise<void> {
		const next = nextOf(page.json, page.headers, query);
		if (typeof next === 'string') return;
		const more = Object.entries(next.query).map(([name, value]) => [name, String(value)]);
		const second = await this.get(operation, path, { query: { ...query, ...Object.fromEntries(more) } });
		if (!second) return;
		const [[one], [two]] = [recordIds(page.json), recordIds(second.json)];
		if (second.status !== 200) {
			const came = `status ${statusText(second.status)} on the next page`;
			this.findings.add(operation, { rule: 'page', came });
		} else if (!next.isGuess && recordsOf(second.json)?.length === 0)
			this.findings.add(operation, { rule: 'pageEmpty', came: 'no records on the next page' });
		else if (one !== undefined && one === two)
			this.findings.add(operation, { rule: 'page', came: 'the same page again' });
	}

	/** Tries the query parameters of the list of profiles. */
	private async tryProfiles(): Promise<void> {
		const { operation } = this.lists.get('/profiles') ?? {};
		if (!operation || (this.ids.get('/profiles') ?? []).length < 2) return;
		for (const [name, value] of Object.entries({ search: `nobody-${MISSING_ID}`, order_by: 'id:desc' })) {
			const answer = await this.get(operation, '/profiles', { query: { [name]: value } });
			if (!answer) return;
			const found = recordIds(answer.json);
			const isRefused = answer.status !== 200;
			const isSorted = found.every((id, at) => at === 0 || Number(found[at - 1]) >= Number(id));
			if (name === 'order_by' && (isRefused || !isSorted))
				this.findings.add(operation, choose('orderBy', isRefused ? 'refused' : 'ignored'));
			else if (isRefused) {
				const came = `\`search\`: status ${statusText(answer.status)}`;
				this.findings.add(operation, { rule: 'parameter', came });
			} else if (name === 'search' && found.length > 0)
				this.findings.add(operation, { rule: 'search', came: 'all that is there' });
		}
	}
}
