import { type ContractOperation, operations } from '../../sandbox/contract.mts';
import { MOST_LEVELS } from './exchange.mts';
import { isPaged, type Observations } from './observations.mts';
import { isRecord, nextQuery, recordsOf, statusText } from './recognition.mts';
import { ReportProblem } from './problem.mts';
import type { ParameterEffect } from './report.mts';
import { type Answer, type TenantClient, Unanswered } from './tenantClient.mts';

type Id = number | string;

/** So many records are tried until one has what is looked for. */
const MOST_RECORDS = 3;

/** So many requests in a row without an answer end the check. */
const MOST_UNANSWERED = 3;

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

/** @throws ReportProblem when the first answer is none of the interface */
function checkFirst({ status, json, content }: Answer): void {
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

	private unanswered = 0;

	constructor(
		private readonly client: TenantClient,
		private readonly observations: Observations,
	) {}

	/** @throws ReportProblem when the tenant cannot be read at all */
	async run(): Promise<void> {
		for (const operation of READS) await this.read(operation);
		await this.tryMissingRecord();
		await this.tryPageParameters();
	}

	private async get(
		operationId: string,
		path: string,
		query?: Record<string, string>,
	): Promise<Answer | undefined> {
		try {
			const answer = await this.client.send('GET', path, { query });
			this.unanswered = 0;
			return answer;
		} catch (error) {
			if (!(error instanceof Unanswered)) throw error;
			if (path === '/me' || ++this.unanswered === MOST_UNANSWERED) throw error;
			this.observations.skip(operationId, 'gave no answer');
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
		if (paths.length === 0) this.observations.skip(operationId, 'the tenant shows no record for it');
		for (const path of paths) {
			const answer = await this.get(operationId, path);
			if (!answer) return;
			if (path === '/me') checkFirst(answer);
			if (answer.status !== 200) {
				this.observations.skip(operationId, `was answered with ${statusText(answer.status)}`);
				continue;
			}
			this.observations.unskip(operationId);
			const records = recordsOf(answer.json);
			if (!records) return;
			this.ids.set(path, idsOf(records));
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

	private async tryMissingRecord(): Promise<void> {
		await this.get('getTag', `/tags/${MISSING_ID}`);
	}

	/** A paginated list of at least two records. */
	private longList(exceptFor?: string): ContractOperation | undefined {
		return READS.find(
			(operation) =>
				isPaged(operation) && operation.path !== exceptFor && (this.ids.get(operation.path)?.length ?? 0) > 1,
		);
	}

	private async tryPageParameters(): Promise<void> {
		const profiles = READS.find(({ operationId }) => operationId === 'listProfiles');
		const other = this.longList(profiles?.path);
		let cursor: { operation: ContractOperation; value: string } | undefined;
		for (const operation of [profiles, other]) {
			if (!operation || (this.ids.get(operation.path)?.length ?? 0) < 2) continue;
			const page = await this.get(operation.operationId, operation.path, { per_page: '1' });
			const value = page && nextQuery(page.json, page.headers)?.get('cursor');
			if (value) cursor ??= { operation, value };
		}
		const list = other ?? this.longList();
		if (!list) return;
		const { path } = list;
		const [first, second] = this.ids.get(path) ?? [];
		await this.tryParameter(list, { page: '2' }, (id) => (id === first ? 'ignored' : 'works'));
		await this.tryParameter(list, { offset: '1' }, (id) => {
			if (id === first) return 'ignored';
			return id === second ? 'works' : 'not clear';
		});
		if (!cursor) {
			this.observations.addPageParameter('cursor', 'not clear');
			return;
		}
		const { operation, value } = cursor;
		const [firstOfAll] = this.ids.get(operation.path) ?? [];
		const query = { cursor: value, per_page: '1' };
		await this.tryParameter(operation, query, (id) => (id === firstOfAll ? 'ignored' : 'works'));
	}

	/** Asks for another part of a list. @param effect what the id of the first record there says */
	private async tryParameter(
		{ operationId, path }: ContractOperation,
		query: Record<string, string>,
		effect: (id: Id | undefined) => ParameterEffect,
	): Promise<void> {
		const [name] = Object.keys(query);
		const answer = await this.get(operationId, path, query);
		if (!answer) return;
		const { status, json } = answer;
		const seen =
			status === 200 ? effect(idsOf(recordsOf(json) ?? [])[0]) : (`refused with ${status}` as const);
		this.observations.addPageParameter(name, seen);
	}
}
