import { BASE_PATH } from '../../nodes/CustomerMessaging/credential/tenantUrl.ts';
import { objectsOf } from '../../nodes/CustomerMessaging/values/json.ts';
import { OWN_CHOICES } from '../../sandbox/choices.mts';
import { type ContractOperation, operations } from '../../sandbox/contract.mts';
import { isPaged } from './differences.mts';
import { CONTENT_WORDS, type Exchange } from './exchange.mts';
import type { Findings } from './findings.mts';
import { ReportProblem, Unanswered } from './problem.mts';
import { nextOf, OTHER, recordsOf } from './recognition.mts';
import { choose, statusText } from './rules.mts';
import type { Question, TenantClient } from './tenantClient.mts';

type Id = number | string;

/** So many records are tried until one has what is looked for. */
const MOST_RECORDS = 3;

/** So many requests in a row without an answer, or with a refused token, end the check. */
const MOST_FAILURES = 3;

/** An id that no record has. */
const MISSING_ID = 999_999_937;

const isId = (id: unknown): id is Id => typeof id === 'number' || typeof id === 'string';

/** The IDs that records show in the first of these members that they have. */
const idsOf = (json: unknown, ...names: string[]): Id[] =>
	objectsOf(recordsOf(json)).flatMap((record) => names.map((name) => record[name]).find(isId) ?? []);

const recordIds = (json: unknown) => idsOf(json, 'id', 'uuid');

const rankOf = ({ path }: ContractOperation) => (path === '/me' ? 0 : path.split('{').length);

/** Reads of the contract: first who is asking, then what needs no ids, then what does. */
const READS = operations()
	.filter(({ method }) => method === 'GET')
	.sort((a, b) => rankOf(a) - rankOf(b));

/** The first page of a list. */
interface List {
	operation: ContractOperation;
	answer: Exchange;
}

/** What `per_page` did on the profiles and on another list: how a tenant chooses so, and in words. */
const PAGE_SIZES: Array<[both: string, choice: string, came?: string]> = [
	['obeyed ignored', OWN_CHOICES.pageSize],
	['obeyed obeyed', 'everywhere', '`per_page` counts on other lists too'],
	['ignored ignored', 'ignored', '`per_page` is ignored'],
	['400 400', '400', '`per_page` is refused with 400'],
	['422 422', '422', '`per_page` is refused with 422'],
	['', OTHER, '`per_page` is taken differently by different lists'],
];

const REFUSED = 'The tenant refuses the token (401): check it, and that it belongs to this tenant.';

/** Why a first answer ends the check, by its status and what its body holds. */
const FIRST_PROBLEMS: Array<[answer: RegExp, problem: string]> = [
	[/^401/, REFUSED],
	[
		/^3/,
		'The tenant redirects elsewhere ({came}), where the token is not sent: name the host of that address.',
	],
	[/^(404|2\S+ (?!json))/, 'There is no interface at this domain: GET {path} gave {came}. Check the domain.'],
	[/^5/, 'The tenant is out of order ({came}): try again later.'],
];

/** @throws ReportProblem when the first answer is none of the interface */
function checkFirst({ status, content: { kind }, path }: Exchange): void {
	const problem = FIRST_PROBLEMS.find(([answer]) => answer.test(`${status} ${kind}`))?.[1];
	const came = status < 300 && kind !== 'json' ? CONTENT_WORDS[kind] : statusText(status);
	if (problem) throw new ReportProblem(problem.replace('{came}', came).replace('{path}', BASE_PATH + path));
}

/** Reads everything that the contract lets read, and tries the parameters of pages. */
export class ReadWalk {
	/** Ids of records by the path of their list. They stay in memory. */
	private readonly ids = new Map<string, Id[]>();

	/** The first page of each list, by its path. */
	private readonly lists = new Map<string, List>();

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

	private async get(operation: ContractOperation, path: string, question?: Question) {
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
		if (paths.length === 0)
			this.findings.notRead.push({ operation: operationId, reason: 'no record for it was shown' });
		for (const path of paths) {
			const answer = await this.get(operation, path);
			if (!answer) return;
			if (path === '/me') checkFirst(answer);
			if (answer.status >= 300) continue;
			const records = recordsOf(answer.content.value);
			if (!records) return;
			this.ids.set(path, recordIds(answer.content.value));
			if (!template.includes('{')) this.lists.set(path, { operation, answer });
			// Files have no list; those of the library are known.
			if (path === '/media') this.ids.set('/files', idsOf(answer.content.value, 'internal_uuid'));
			if (records.length > 0) return;
		}
	}

	/** Asks for pages of one record, and for the second page of lists as the node does. */
	private async tryPages(): Promise<void> {
		/** What `per_page` did on the profiles, where the interface has it, and on the first other list. */
		const sizes: Partial<Record<'other' | 'profiles', string>> = {};
		for (const [path, list] of this.lists) {
			const { operation } = list;
			const kind = path === '/profiles' ? 'profiles' : 'other';
			const isTried = (this.ids.get(path)?.length ?? 0) > 1 && isPaged(operation) && !(kind in sizes);
			const query = { per_page: '1' };
			const answer = isTried ? await this.get(operation, path, { query }) : undefined;
			const count = recordsOf(answer?.content.value)?.length ?? 0;
			if (isTried) sizes[kind] = undefined;
			if (answer && answer.status >= 400) sizes[kind] = String(answer.status);
			// A short list says nothing.
			else if (count > 0) sizes[kind] = count > 1 ? 'ignored' : 'obeyed';
			if (answer && sizes[kind] === 'obeyed') await this.tryNext({ operation, answer }, path, query);
			else await this.tryNext(list, path);
		}
		const { profiles, other = profiles === 'obeyed' ? 'ignored' : profiles } = sizes;
		const list = this.lists.get('/profiles');
		if (!list || profiles === undefined) return;
		const [, choice, came] = PAGE_SIZES.find(([both]) => !both || both === `${profiles} ${other}`) ?? [];
		if (choice) this.findings.add(list.operation, choose('pageSize', choice, came));
	}

	/** Asks for the page after a page. */
	private async tryNext({ operation, answer: page }: List, path: string, query = {}): Promise<void> {
		const next = nextOf(page.content.value, page.headers, query);
		if (typeof next === 'string') return;
		const more = Object.entries(next.query).map(([name, value]) => [name, String(value)]);
		const second = await this.get(operation, path, { query: { ...query, ...Object.fromEntries(more) } });
		if (!second) return;
		const [[one], [two]] = [recordIds(page.content.value), recordIds(second.content.value)];
		if (second.status !== 200) {
			const came = `status ${statusText(second.status)} on the next page`;
			this.findings.add(operation, { rule: 'page', came });
		} else if (!next.isGuess && recordsOf(second.content.value)?.length === 0)
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
			const found = recordIds(answer.content.value);
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
