import { type ContractOperation, operations, type Schema } from '../sandbox/contract.mts';
import { type Account, NoResponse, type Seen } from './account.mts';
import {
	errorForm,
	type Fields,
	isObject,
	isUuid,
	listIn,
	nextPage,
	problemOfId,
	recordIn,
	reportsFailure,
	saysMore,
	timeForm,
	totalIn,
} from './forms.mts';
import { CheckProblem } from './problem.mts';
import type { Report } from './report.mts';

/** So many pages of a list are read. */
const MOST_PAGES = 3;

/** So many requests in a row without a response end the check. */
const MOST_SILENT = 3;

/** An ID that no record has. */
const MISSING_ID = 999_999_937;

/** A schema with what its parts add to it. */
const whole = ({ allOf = [], ...schema }: Schema): Schema =>
	allOf.map(whole).reduce((all, part) => {
		return { ...all, ...part, properties: { ...all.properties, ...part.properties } };
	}, schema);

/** What the contract says of a success: a file, or a list or a record with the names of fields that it shows. */
function expected({ responses }: ContractOperation): { kind: 'file' | 'list' | 'record'; names: string[] } {
	const schema = responses['200'].content?.['application/json']?.schema;
	if (!schema) return { kind: 'file', names: [] };
	const body = whole(schema);
	const content = whole(body.properties?.data ?? body);
	const kind = content.type === 'array' ? 'list' : 'record';
	return { kind, names: Object.keys(whole(content.items ?? content).properties ?? {}) };
}

const rankOf = ({ path }: ContractOperation) => (path === '/me' ? 0 : path.split('{').length);

/** What can be read: first who is asking, then what needs no ID, then what does. */
const READS = operations()
	.filter(({ method }) => method === 'GET')
	.sort((a, b) => rankOf(a) - rankOf(b));

const requestOf = ({ path }: ContractOperation) => `GET ${path}`;

/** @throws CheckProblem when the first response says that there is nothing to read */
function checkFirst({ status, json }: Seen): void {
	if (status === 401)
		throw new CheckProblem(
			'The account refuses the token (401): check it, and that it belongs to this account.',
		);
	if (status >= 300 && status < 400)
		throw new CheckProblem(
			`The account redirects elsewhere (${status}), where the token is not sent: name the host of that address.`,
		);
	if (status === 404 || (status < 300 && json === undefined))
		throw new CheckProblem(`There is no interface at this domain (GET /me: ${status}): check the domain.`);
	if (status >= 500)
		throw new CheckProblem(`The account is out of order (GET /me: ${status}): try again later.`);
}

/** Reads an account and compares its responses with the rows of the report. */
export class Walk {
	/** The first ID of each list, by its path. They stay in memory. */
	private readonly ids = new Map<string, string>();

	private silent = 0;

	constructor(
		private readonly account: Account,
		private readonly report: Report,
	) {}

	/** @throws CheckProblem when the account cannot be read on */
	async run(): Promise<void> {
		for (const operation of READS) await this.read(operation);
		const [tag, profiles] = ['/tags/{id}', '/profiles'].map((path) =>
			READS.find((operation) => operation.path === path),
		);
		if (tag) await this.readMissing(tag, `/tags/${MISSING_ID}`);
		// An account with few records has more than one page of a record each.
		if (profiles && !this.report.has('next')) await this.readList(profiles, '/profiles', { per_page: '1' });
	}

	private async read(operation: ContractOperation): Promise<void> {
		const path = this.pathOf(operation);
		if (path === undefined) return this.report.cannotRead(requestOf(operation), 'no record for it was shown');
		const { kind } = expected(operation);
		if (kind === 'list') return await this.readList(operation, path);
		const seen = await this.ask(requestOf(operation), path, {}, kind === 'file');
		if (kind === 'record' && seen) this.judgeRecord(operation, seen.json);
	}

	/** The path of an operation with IDs that were read. */
	private pathOf({ path }: ContractOperation): string | undefined {
		let filled: string | undefined = '';
		for (const segment of path.split('/').slice(1)) {
			const id: string | undefined = segment.startsWith('{') ? this.ids.get(filled) : segment;
			if (id === undefined) return undefined;
			filled += `/${encodeURIComponent(id)}`;
		}
		return filled;
	}

	/** The response to a request, unless it tells of a failure, which is noted. */
	private async ask(request: string, path: string, query = {}, isFile = false): Promise<Seen | undefined> {
		let seen: Seen;
		try {
			seen = await this.account.get(path, query, isFile);
			this.silent = 0;
		} catch (error) {
			if (!(error instanceof NoResponse) || path === '/me' || ++this.silent === MOST_SILENT) throw error;
			this.report.cannotRead(request, 'no response');
			return undefined;
		}
		if (path === '/me') checkFirst(seen);
		const { status, json, other } = seen;
		const isFailure = status >= 300 || reportsFailure(json);
		if (isFailure) {
			this.judgeFailure(request, seen);
			this.report.cannotRead(request, status < 300 ? 'a failure' : `status ${status}`);
		} else if (other) this.report.breaks('body', request, other);
		else if (!isFile) this.report.keeps('body', 'JSON in UTF-8');
		return isFailure || other ? undefined : seen;
	}

	private judgeFailure(request: string, { status, json }: Seen): void {
		if (status < 300) this.report.keeps('failure', `success: false with status ${status}`);
		const form = errorForm(json);
		if (form) this.report.keeps('errorText', form);
		else if (json === undefined) this.report.keeps('errorText', 'none: that of the status is shown');
		else this.report.breaks('errorText', request, 'JSON without message, error and errors');
	}

	/** Asks for a record that does not exist. */
	private async readMissing(operation: ContractOperation, path: string): Promise<void> {
		const seen = await this.account.get(path);
		const isFailure = seen.status >= 300 || reportsFailure(seen.json);
		const what = `status ${seen.status} for a record that does not exist`;
		if (isFailure) {
			this.judgeFailure(requestOf(operation), seen);
			if (seen.status >= 300) this.report.keeps('failure', what);
		} else this.report.breaks('failure', requestOf(operation), what);
	}

	private judgeRecord(operation: ContractOperation, json: unknown): void {
		const record = recordIn(json);
		const { names } = expected(operation);
		const isOther = !record || (names.length > 0 && !names.some((name) => name in record));
		if (isOther) {
			const seen = 'no field of the interface at the top or in data';
			return this.report.breaks('record', requestOf(operation), seen);
		}
		this.report.keeps('record', record === json ? 'the object itself' : 'data');
		this.judgeFields(operation, record, 'record');
	}

	/** The IDs and times of a record. */
	private judgeFields(operation: ContractOperation, record: Fields, row: 'list' | 'record'): void {
		const request = requestOf(operation);
		for (const name of expected(operation).names.filter((one) => one === 'id' || one === 'uuid')) {
			if (!(name in record)) this.report.breaks(row, request, `records without ${name}`);
		}
		if ('id' in record) {
			const problem = problemOfId(record.id);
			if (problem) this.report.breaks('ids', request, problem);
			else this.report.keeps('ids', typeof record.id === 'number' ? 'numbers' : 'numbers as text');
		}
		for (const uuid of [record.uuid, record.internal_uuid].filter((one) => (one ?? '') !== '')) {
			if (isUuid(uuid)) this.report.keeps('ids', 'UUIDs');
			else this.report.breaks('ids', request, 'a UUID in another form');
		}
		for (const [name, time] of Object.entries(record)) {
			if (!name.endsWith('_at') || time === null) continue;
			const form = timeForm(time);
			if (form) this.report.keeps('times', form);
			else this.report.breaks('times', request, 'times that are not ISO 8601');
		}
	}

	/** Reads a list, as far as to its third page. */
	private async readList(operation: ContractOperation, path: string, query = {}): Promise<void> {
		const request = [requestOf(operation), ...Object.keys(query)].join('?');
		const known = new Set<string>();
		let count = 0;
		let more = {};
		for (let page = 1; page <= MOST_PAGES; page++) {
			const seen = await this.ask(request, path, { ...query, ...more });
			if (!seen && page > 1) this.report.breaks('next', request, 'a failure in place of the next page');
			const records = seen && this.judgeList(operation, seen.json);
			if (!seen || !records) return;
			count += records.length;
			const ids = records.flatMap(({ id, uuid }) => [id ?? uuid ?? []].flat().map(String));
			if (page === 1 && ids.length > 0) this.ids.set(path, ids[0]);
			// Files have no list; those of the library are known.
			const uuid = path === '/media' ? records[0]?.internal_uuid : undefined;
			if (typeof uuid === 'string') this.ids.set('/files', uuid);
			if (ids.length > 0 && ids.every((id) => known.has(id)))
				return this.report.breaks('whole', request, 'the same page twice');
			for (const id of ids) known.add(id);
			const next = nextPage(seen.json, seen.link, records.length);
			if (!next) return this.judgeEnd(request, seen.json, count);
			this.report.keeps('next', next.form);
			more = next.query;
		}
	}

	private judgeList(operation: ContractOperation, json: unknown): Fields[] | undefined {
		const request = requestOf(operation);
		const list = listIn(json);
		if (!list?.every(isObject)) {
			const seen = list ? 'a list of something other than records' : 'no list at the top or in data';
			return void this.report.breaks('list', request, seen);
		}
		this.report.keeps('list', list === json ? 'an array' : 'data');
		for (const record of list) this.judgeFields(operation, record, 'list');
		const ids = list.flatMap(({ id }) => (id === undefined ? [] : String(id)));
		if (new Set(ids).size < ids.length) this.report.breaks('list', request, 'an ID twice on one page');
		return list;
	}

	/** Compares what a list says of itself with what its pages have shown. */
	private judgeEnd(request: string, json: unknown, count: number): void {
		const total = totalIn(json);
		if (saysMore(json) || (total !== undefined && count < total))
			this.report.breaks('next', request, 'more records, but no form that leads to them');
		else if (total !== undefined) this.report.keeps('whole', 'as many records as the total');
	}
}
