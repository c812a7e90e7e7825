import type { ServerResponse } from 'node:http';

import fc from 'fast-check';

import { AMOUNT } from '../amount.mts';
import { CONTENT_KINDS, type ContentKind, sendContent } from './contents.mts';
import {
	END_FORMS,
	type EndForm,
	type Envelope,
	type EnvelopeKind,
	ENVELOPES,
	type Expectation,
	Page,
	PAGED,
	UNPAGED,
	WORDS_BESIDE,
	WORDS_BESIDE_KINDS,
	type WordsBeside,
} from './envelopes.mts';
import { findProblem, type Meeting, meet, offenceOf, reasonProblem, shownText, told } from './generated.mts';
import type { ListOperation } from './operations.mts';
import { recordAt, type RecordForm, recordForms, RECORD_KINDS, type RecordKind } from './records.mts';
import {
	isWorthRepeating,
	missingWords,
	type Refusal,
	REFUSAL_BODIES,
	type RefusalBodyKind,
	refusals,
	REFUSED_STATUSES,
	type RefusedStatus,
	sendRefusal,
} from './refusals.mts';
import type { ServedTenant, TenantRequest, TenantServer } from './tenantServer.mts';

/** What a tenant does with `per_page` where the interface shows it. */
const PAGE_SIZES = ['obeyed', 'capped', 'ignored'] as const;

/** What a tenant does when it is asked for a page behind the last. */
const BEYOND = ['an empty page', 'not found', 'the last page again'] as const;

/** A tenant with one list, as plain JSON. */
export interface ListTenant {
	envelope: EnvelopeKind;
	/** How the last page says that it is the last. */
	end: EndForm;
	beyond: (typeof BEYOND)[number];
	perPage: (typeof PAGE_SIZES)[number];
	besideData: WordsBeside;
	content: ContentKind;
	records: RecordForm;
	/** Records on a page at most. */
	size: number;
	/** Records in all. */
	total: number;
	/** The operation's limit, or all. */
	ask: number | 'all';
	refusal: Refusal | null;
}

/** The values that each dimension may take. */
export interface ListSpace {
	envelope: EnvelopeKind[];
	end: EndForm[];
	beyond: Array<ListTenant['beyond']>;
	'page size': Array<ListTenant['perPage']>;
	'beside data': WordsBeside[];
	content: ContentKind[];
	records: RecordKind[];
	'refused, status': RefusedStatus[];
	'refused, body': RefusalBodyKind[];
}

/** Everything that a tenant may do whose list the interface calls paginated. */
export const PAGED_SPACE: ListSpace = {
	envelope: Object.keys(PAGED) as EnvelopeKind[],
	end: [...END_FORMS],
	beyond: [...BEYOND],
	'page size': [...PAGE_SIZES],
	'beside data': WORDS_BESIDE_KINDS,
	content: CONTENT_KINDS,
	records: RECORD_KINDS,
	'refused, status': [...REFUSED_STATUSES],
	'refused, body': REFUSAL_BODIES,
};

/** Everything that a tenant may do whose list is not paginated. */
export const UNPAGED_SPACE: ListSpace = {
	...PAGED_SPACE,
	envelope: Object.keys(UNPAGED) as EnvelopeKind[],
	beyond: ['an empty page'],
	'page size': ['ignored'],
};

/** Records and page size; most lists have several pages. */
const sizes = fc
	.tuple(
		fc.integer({ min: 1, max: 10 }),
		fc.oneof(
			{ weight: 1, arbitrary: fc.constant(0) },
			{ weight: 2, arbitrary: fc.constant(1) },
			{ weight: 7, arbitrary: fc.integer({ min: 2, max: 4 }) },
		),
		fc.nat({ max: 9 }),
	)
	.map(([size, pages, rest]) => ({ size, total: pages === 0 ? 0 : (pages - 1) * size + 1 + (rest % size) }));

const asks: fc.Arbitrary<ListTenant['ask']> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant('all' as const) },
	{ weight: 2, arbitrary: fc.integer({ min: 1, max: 45 }) },
);

/** The tenants of a space. @param refuses whether they refuse; some of them unless it is given */
export function listTenants(space: ListSpace, refuses?: boolean): fc.Arbitrary<ListTenant> {
	const refusal = refusals(space['refused, status'], space['refused, body']);
	const always = { weight: 1, arbitrary: refusal };
	const never = { weight: refuses === undefined ? 6 : 1, arbitrary: fc.constant(null) };
	return fc
		.record({
			envelope: fc.constantFrom(...space.envelope),
			end: fc.constantFrom(...space.end),
			beyond: fc.constantFrom(...space.beyond),
			perPage: fc.constantFrom(...space['page size']),
			besideData: fc.constantFrom(...space['beside data']),
			content: fc.constantFrom(...space.content),
			records: recordForms(space.records),
			sizes,
			ask: asks,
			refusal: refuses === true ? refusal : refuses === false ? fc.constant(null) : fc.oneof(never, always),
		})
		.map(({ sizes: { size, total }, ...rest }) => ({ ...rest, size, total }));
}

/** A generated tenant at work. */
class ServedList implements ServedTenant {
	readonly log: string[] = [];

	readonly offences: string[] = [];

	/** Records on the first page that was given out. */
	firstCount = 0;

	/** Pages given out. */
	pages = 0;

	/** Records given out. */
	given = 0;

	/** Refusals given out. */
	refused = 0;

	private readonly envelope: Envelope;

	constructor(
		private readonly server: TenantServer,
		private readonly operation: ListOperation,
		private readonly tenant: ListTenant,
		private readonly token: string,
	) {
		this.envelope = ENVELOPES[tenant.envelope];
	}

	answer({ method, path, query }: TenantRequest, response: ServerResponse): void {
		const { refusal, ask, content } = this.tenant;
		if (method !== 'GET' || path !== this.operation.path) {
			this.refuse(response, 404, `No such path: ${method} ${path}`);
			return;
		}
		if (ask !== 'all' && this.given >= ask && !this.operation.isUnlimited)
			this.offences.push('asked on although it had enough');
		if (refusal && this.pages >= refusal.after && !(refusal.once && this.refused > 0)) {
			this.refused++;
			sendRefusal(response, refusal, this.token);
			return;
		}
		const page = this.pageOf(query);
		if (typeof page === 'string') {
			this.refuse(response, 422, page);
			return;
		}
		if (page === undefined) {
			this.refuse(response, 404, 'There is no such page.');
			return;
		}
		if (this.pages++ === 0) this.firstCount = page.count;
		this.given += page.count;
		for (const [name, text] of Object.entries(this.envelope.headers?.(page) ?? {}))
			response.setHeader(name, text);
		sendContent(response, content, this.bodyOf(page));
	}

	private refuse(response: ServerResponse, status: number, message: string): void {
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
	}

	/** Records on a page of this request. */
	private sizeOf(query: URLSearchParams): number {
		const { size, perPage, total } = this.tenant;
		if (this.envelope.isComplete) return Math.max(1, total);
		const asked = Number(query.get('per_page'));
		if (!this.operation.hasPageSize || !(asked >= 1)) return size;
		if (perPage === 'ignored') return size;
		return perPage === 'capped' ? Math.min(asked, size) : asked;
	}

	/** The page that is asked for; undefined when there is none, text when the request is refused. */
	private pageOf(query: URLSearchParams): Page | string | undefined {
		const { parameter } = this.envelope;
		const { total, end, beyond } = this.tenant;
		const { origin, foreignOrigin } = this.server;
		const { path } = this.operation;
		let size = this.sizeOf(query);
		let start = 0;
		if (parameter === 'cursor') {
			const cursor = query.get(parameter);
			if (cursor !== null) {
				const [, at] = /^c-(\d+)$/.exec(cursor) ?? [];
				if (at === undefined) return `The ${parameter} is invalid.`;
				start = Number(at);
			}
		} else if (parameter === 'offset') {
			const limit = Number(query.get('limit'));
			if (limit >= 1) size = Math.min(limit, size);
			start = Number(query.get('offset') ?? 0);
		} else if (parameter !== 'none') {
			start = (Number(query.get(parameter) ?? 1) - 1) * size;
		}
		if (!Number.isInteger(start) || start < 0) return 'There is no such page.';
		if (start > 0 && start >= total && parameter !== 'offset') {
			if (beyond === 'not found') return undefined;
			if (beyond === 'the last page again') start = Math.max(0, Math.ceil(total / size) - 1) * size;
		}
		const count = Math.max(0, Math.min(size, total - start));
		return new Page({ origin, foreignOrigin, path }, parameter, end, start, size, total, count, start + size);
	}

	private bodyOf(page: Page): string {
		const { records: form, besideData } = this.tenant;
		const data = Array.from({ length: page.count }, (_, index) => recordAt(form, page.start + index));
		return JSON.stringify(
			this.envelope.isBare ? data : { ...WORDS_BESIDE[besideData], data, ...this.envelope.beside(page) },
		);
	}
}

/** How many tenants were met, and how many of them were what they are meant to be. */
export interface ListTally {
	tenants: number;
	/** Tenants of whose list more than one page was read. */
	ofSeveralPages: number;
	/** Tenants whose list was read to its last record. */
	readWhole: number;
	/** Tenants of which no more was read than was asked for, although they have more. */
	limited: number;
	refused: number;
}

export const emptyTally = (): ListTally => ({
	tenants: 0,
	ofSeveralPages: 0,
	readWhole: 0,
	limited: 0,
	refused: 0,
});

function expectationOf({ envelope }: ListTenant, wanted: number, { firstCount }: ServedList): Expectation {
	return wanted <= firstCount ? 'whole' : ENVELOPES[envelope].expectation;
}

/** What is wrong with what an operation gave for a list; undefined when nothing is. */
function problemIn(
	operation: ListOperation,
	tenant: ListTenant,
	served: ServedList,
	run: Meeting,
): string | undefined {
	const offence = offenceOf(run);
	if (offence !== undefined) return offence;
	const { error, items } = run;
	const { ask, total, records, refusal } = tenant;
	const wanted = ask === 'all' || operation.isUnlimited ? total : Math.min(ask, total);
	const isRepeated = refusal !== null && refusal.once && isWorthRepeating(refusal, 'GET');
	const isRefused = refusal !== null && served.refused > 0 && !isRepeated;
	if (isRefused) {
		if (!error) return 'it was refused, but did not fail';
		return reasonProblem(error) ?? missingWords(refusal, shownText(error));
	}
	const expectation = expectationOf(tenant, wanted, served);
	if (error) {
		if (expectation === 'whole') return `there was a way to all ${wanted} records, but it failed`;
		return reasonProblem(error);
	}
	if (expectation === 'reason') return `there was no way to all ${wanted} records, but it did not fail`;
	if (items.length !== wanted)
		return `${wanted} records were wanted and ${items.length} came, without an error`;
	const toldAt = (index: number) => JSON.stringify(recordAt(records, index));
	const at = items.findIndex(({ json }, index) => JSON.stringify(json) !== toldAt(index));
	if (at >= 0) return `item ${at} is not ${toldAt(at)}`;
	return items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')
		? undefined
		: 'an item is not linked to the input';
}

/** Reads the list of a generated tenant. @returns what is wrong with what came */
export async function readList(
	server: TenantServer,
	operation: ListOperation,
	tenant: ListTenant,
	tally: ListTally,
): Promise<string | undefined> {
	const { ask } = tenant;
	const parameters = {
		...operation.parameters,
		...(operation.isUnlimited ? {} : ask === 'all' ? { returnAll: true } : { limit: ask }),
	};
	const makeTenant = (token: string) => new ServedList(server, operation, tenant, token);
	const run = await meet(server, { ...operation, parameters }, makeTenant);
	const served = run.tenant as ServedList;
	tally.tenants++;
	if (served.pages > 1) tally.ofSeveralPages++;
	if (!run.error && served.given >= tenant.total) tally.readWhole++;
	if (ask !== 'all' && ask < tenant.total) tally.limited++;
	if (served.refused > 0) tally.refused++;
	const problem = problemIn(operation, tenant, served, run);
	return problem === undefined ? undefined : told(problem, operation, tenant, run);
}

/**
 * Reads the list of an operation from as many generated tenants as a run has.
 *
 * @throws Error that tells of the simplest tenant with which something is wrong
 */
export async function readFromAll(
	server: TenantServer,
	operation: ListOperation,
	tenants: fc.Arbitrary<ListTenant>,
): Promise<ListTally> {
	const tally = emptyTally();
	const read = async (tenant: ListTenant) => await readList(server, operation, tenant, tally);
	const problem = await findProblem(tenants, read, AMOUNT);
	if (problem !== undefined) throw new Error(problem);
	expect(tally.tenants).toBe(AMOUNT);
	return tally;
}
