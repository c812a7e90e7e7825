import { type ContractOperation, operations } from '../../sandbox/contract.mts';
import { MOST_LEVELS } from './exchange.mts';
import { choose, isPaged } from './differences.mts';
import type { Findings } from './findings.mts';
import { nextOf, recordsOf, statusText } from './recognition.mts';
import { ReportProblem } from './problem.mts';
import { type Answer, type Question, type TenantClient, Unanswered } from './tenantClient.mts';
import { isRecord } from './vocabulary.mts';

type Id = number | string;

/** So many records are tried until one has what is looked for. */
const MOST_RECORDS = 3;

/** So many requests in a row without an answer, or with a refused token, end the check. */
const MOST_FAILURES = 3;

/** An id that no record has. */
const MISSING_ID = 999_999_937;

const idOf = (record: unknown): Id | undefined => {
	const id = isRecord(record) ? (record.id ?? record.uuid) : undefined;
	return typeof id === 'number' || typeof id === 'string' ? id : undefined;
};

const isId = (id: Id | undefined): id is Id => id !== undefined;
const idsOf = (records: unknown[]) => records.map(idOf).filter(isId);

const parametersIn = (path: string) => path.split('{').length - 1;

/** Reads of the contract: first who is asking, then what needs no ids, then what does. */
const READS = operations()
	.filter(({ method }) => method === 'GET')
	.sort(
		(a, b) =>
			Number(b.path === '/me') - Number(a.path === '/me') || parametersIn(a.path) - parametersIn(b.path),
	);

const REFUSED = 'The tenant refuses the token (401): check it, and that it belongs to this tenant.';

/** @throws ReportProblem when the first answer is none of the interface */
function checkFirst({ status, json, content }: Answer): void {
	if (status === 401) throw new ReportProblem(REFUSED);
	if (status >= 300 && status < 400) {
		throw new ReportProblem(
			`The tenant redirects to another address (${status}), which the token is not sent to: name the host that it redirects to.`,
		);
	}
	if (status < 300 && (content.kind === 'too deep' || content.kind === 'too large')) {
		const what =
			content.kind === 'too deep' ? `nests too deeply: more than ${MOST_LEVELS} levels` : 'is too large';
		throw new ReportProblem(
			`There is no usable interface at this domain: the answer to GET /third-party/v1/me ${what}. Check the domain.`,
		);
	}
	if (status === 404 || (status < 300 && json === undefined)) {
		throw new ReportProblem(
			`There is no interface at this domain: GET /third-party/v1/me gave ${status === 404 ? '404' : 'no JSON'}. Check the domain.`,
		);
	}
	if (status >= 500) throw new ReportProblem(`The tenant is out of order (${status}): try again later.`);
}

/** Reads everything that the contract lets read, and tries the parameters of pages. */
export class ReadWalk {
	/** Ids of records by the path of their list. They stay in memory. */
	private readonly ids = new Map<string, Id[]>();

	/** The first page of each list, by its path. */
	private readonly lists = new Map<string, { operation: ContractOperation; answer: Answer }>();

	private failures = 0;

	private hasTriedSize = false;

	constructor(
		private readonly client: TenantClient,
		private readonly findings: Findings,
	) {}

	/** @throws ReportProblem when the tenant cannot be read at all */
	async run(): Promise<void> {
		for (const operation of READS) await this.read(operation);
		const tag = READS.find(({ operationId }) => operationId === 'getTag');
		if (tag) await this.get(tag, `/tags/${MISSING_ID}`, { isMissing: true });
		await this.tryNextPages();
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
		if (paths.length === 0) this.findings.notRead.set(operationId, 'the tenant shows no record for it');
		for (const path of paths) {
			const answer = await this.get(operation, path);
			if (!answer) return;
			if (path === '/me') checkFirst(answer);
			if (answer.status >= 300) continue;
			const records = recordsOf(answer.json);
			if (!records) return;
			this.ids.set(path, idsOf(records));
			if (!template.includes('{')) this.lists.set(path, { operation, answer });
			// Files have no list; those of the library are known.
			if (path === '/media') {
				const uuids = records.map((record) =>
					idOf({ id: isRecord(record) ? record.internal_uuid : undefined }),
				);
				this.ids.set('/files', uuids.filter(isId));
			}
			if (records.length > 0) return;
		}
	}

	/** Asks for the second page of lists, as the node does. */
	private async tryNextPages(): Promise<void> {
		for (const [path, { operation, answer }] of this.lists) {
			const perPage: Record<string, string> = { per_page: '1' };
			const isLong = (this.ids.get(path)?.length ?? 0) > 1 && isPaged(operation);
			const isTried = operation.operationId === 'listProfiles' || !this.hasTriedSize;
			const first = isLong && isTried ? await this.get(operation, path, { query: perPage }) : undefined;
			if (isLong && operation.operationId !== 'listProfiles') this.hasTriedSize = true;
			const isSmall = first?.status === 200 && recordsOf(first.json)?.length === 1;
			const [page, query] = isSmall ? [first, perPage] : [answer, {}];
			const next = nextOf(page.json, page.headers, query);
			if (typeof next === 'string') continue;
			const more = Object.fromEntries(
				Object.entries(next.query).map(([name, value]) => [name, String(value)]),
			);
			const second = await this.get(operation, path, { query: { ...query, ...more } });
			const [[one], [two]] = [page.json, second?.json].map((json) => idsOf(recordsOf(json) ?? []));
			const isEmpty = !next.isGuess && second?.status === 200 && recordsOf(second.json)?.length === 0;
			if (second && second.status !== 200)
				this.findings.add(operation, {
					rule: 'page',
					came: `status ${statusText(second.status)} on the next page`,
				});
			else if (isEmpty)
				this.findings.add(operation, { rule: 'pageEmpty', came: 'no records on the next page' });
			else if (second && one !== undefined && one === two)
				this.findings.add(operation, { rule: 'page', came: 'the same page again' });
		}
	}

	/** Tries the query parameters of the list of profiles. */
	private async tryProfiles(): Promise<void> {
		const { operation } = this.lists.get('/profiles') ?? {};
		const ids = this.ids.get('/profiles') ?? [];
		if (!operation || ids.length < 2) return;
		for (const [name, value] of Object.entries({ search: `nobody-${MISSING_ID}`, order_by: 'id:desc' })) {
			const answer = await this.get(operation, '/profiles', { query: { [name]: value } });
			if (!answer) return;
			const found = idsOf(recordsOf(answer.json) ?? []);
			const isRefused = answer.status !== 200;
			const isSorted = found.every((id, at) => at === 0 || Number(found[at - 1]) >= Number(id));
			if (name === 'order_by' && (isRefused || !isSorted))
				this.findings.add(operation, choose('orderBy', isRefused ? 'refused' : 'ignored'));
			else if (isRefused)
				this.findings.add(operation, {
					rule: 'parameter',
					came: `\`search\`: status ${statusText(answer.status)}`,
				});
			else if (name === 'search' && found.length > 0)
				this.findings.add(operation, { rule: 'search', came: 'all that is there' });
		}
	}
}
