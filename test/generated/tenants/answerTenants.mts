import type { ServerResponse } from 'node:http';

import fc from 'fast-check';

import { CONTENT_KINDS, type ContentKind, sendContent } from './contents.mts';
import { WORDS_BESIDE, WORDS_BESIDE_KINDS, type WordsBeside } from './envelopes.mts';
import { type Meeting, meet, offenceOf, reasonProblem, shownText, told } from './generated.mts';
import { type AnsweredOperation, type AnswerGroup, COUNTS } from './operations.mts';
import {
	type Json,
	recordAt,
	type RecordForm,
	recordForms,
	RECORD_KINDS,
	type RecordKind,
} from './records.mts';
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

const STATUSES = [200, 201, 202, 204] as const;

/** What a tenant answers to what it carried out; the first two hold what the interface shows. */
const ANSWERS = [
	'as shown',
	'with and without data the other way round',
	'nothing',
	'null',
	'an empty object',
	'an empty list',
	'plain text',
	'success is false',
] as const;

type Answer = (typeof ANSWERS)[number];

/** Answers that hold what was read or written. */
const isTelling = (answer: Answer) => answer === ANSWERS[0] || answer === ANSWERS[1];

/** A tenant that answers one kind of request, as plain JSON. */
export interface AnswerTenant {
	status: (typeof STATUSES)[number];
	answer: Answer;
	besideData: WordsBeside;
	content: ContentKind;
	records: RecordForm;
	/** Records of a set. */
	setSize: number;
	/** Input items. */
	copies: number;
	refusal: Refusal | null;
}

/** The values that each dimension may take. */
export interface AnswerSpace {
	status: Array<AnswerTenant['status']>;
	answer: Answer[];
	'beside data': WordsBeside[];
	content: ContentKind[];
	records: RecordKind[];
	'refused, status': RefusedStatus[];
	'refused, body': RefusalBodyKind[];
}

const REFUSED = { 'refused, status': [...REFUSED_STATUSES], 'refused, body': REFUSAL_BODIES };

/** Everything that a tenant may do when something is read. */
const READ_SPACE: AnswerSpace = {
	...REFUSED,
	status: [200],
	answer: [ANSWERS[0], ANSWERS[1], 'success is false'],
	'beside data': WORDS_BESIDE_KINDS,
	content: CONTENT_KINDS,
	records: RECORD_KINDS,
};

const WRITE_SPACE: AnswerSpace = { ...READ_SPACE, status: [...STATUSES], answer: [...ANSWERS] };

/** Everything that a tenant may do with an operation of that kind. */
export function spaceOf(kind: AnswerGroup): AnswerSpace {
	if (kind === 'read') return READ_SPACE;
	// Without a message in the answer it is not clear whether it was sent.
	if (kind === 'message') return { ...WRITE_SPACE, status: [200, 201, 202], answer: READ_SPACE.answer };
	// What these answer is the same whatever the records are.
	if (kind === 'deletion' || kind === 'import') return { ...WRITE_SPACE, records: ['plain'] };
	return WRITE_SPACE;
}

/** The tenants of a space. @param refuses whether they refuse; some of them unless it is given */
export function answerTenants(space: AnswerSpace, refuses?: boolean): fc.Arbitrary<AnswerTenant> {
	const refusal = refusals(space['refused, status'], space['refused, body']).map((one) => ({
		...one,
		after: 0,
	}));
	const some = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: refusal });
	return fc.record({
		status: fc.constantFrom(...space.status),
		answer: fc.constantFrom(...space.answer),
		besideData: fc.constantFrom(...space['beside data']),
		content: fc.constantFrom(...space.content),
		records: recordForms(space.records),
		setSize: fc.nat({ max: 3 }),
		copies: fc.integer({ min: 1, max: 2 }),
		refusal: refuses === true ? refusal : refuses === false ? fc.constant(null) : some,
	});
}

/** How many tenants were met, and in how many ways. */
export interface AnswerTally {
	tenants: number;
	carriedOut: number;
	refused: number;
	/** Tenants that were asked again after a refusal. */
	askedAgain: number;
}

export const emptyTally = (): AnswerTally => ({ tenants: 0, carriedOut: 0, refused: 0, askedAgain: 0 });

/** A generated tenant at work. */
class ServedAnswer implements ServedTenant {
	readonly log: string[] = [];

	readonly offences: string[] = [];

	/** Requests that were carried out, whatever was answered. */
	carriedOut = 0;

	refused = 0;

	/** Requests for what is generated, without look-ups. */
	asked = 0;

	method = '';

	constructor(
		private readonly operation: AnsweredOperation,
		private readonly tenant: AnswerTenant,
		private readonly token: string,
	) {}

	answer({ method }: TenantRequest, response: ServerResponse): void {
		const { refusal, status, content } = this.tenant;
		if (method === 'GET' && this.operation.kind !== 'read') {
			// What is attached already.
			response.setHeader('content-type', 'application/json');
			response.end('{"data":[{"id":3},{"id":7}]}');
			return;
		}
		this.asked++;
		this.method = method;
		if (refusal && !(refusal.once && this.refused > 0)) {
			this.refused++;
			if (refusal.status >= 500) this.carriedOut++;
			sendRefusal(response, refusal, this.token);
			return;
		}
		this.carriedOut++;
		response.statusCode = status;
		const body = this.body();
		if (status === 204 || body === '') response.end();
		else sendContent(response, content, body);
	}

	/** What the operation reads or writes. */
	get subject(): Json {
		const { records, setSize } = this.tenant;
		const { kind } = this.operation;
		if (kind === 'deletion') return [];
		if (kind === 'import') return COUNTS;
		if (kind === 'set' || kind === 'mark all read')
			return Array.from({ length: setSize }, (_, index) => recordAt(records, index));
		return recordAt(records, 0);
	}

	private body(): string {
		const { answer, besideData } = this.tenant;
		const { isBare = false } = this.operation;
		switch (answer) {
			case 'nothing':
				return '';
			case 'null':
				return 'null';
			case 'an empty object':
				return '{}';
			case 'an empty list':
				return '{"data":[]}';
			case 'plain text':
				return 'OK';
			case 'success is false':
				return '{"success":false,"message":"No such thing"}';
			default: {
				const isWrapped = isBare === (answer !== 'as shown');
				return JSON.stringify(isWrapped ? { ...WORDS_BESIDE[besideData], data: this.subject } : this.subject);
			}
		}
	}
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Whether one request stands for all input items. */
const isBatch = ({ name }: AnsweredOperation) => name.includes(': bulk');

function refusalProblem(refusal: Refusal, served: ServedAnswer, { error }: Meeting): string | undefined {
	if (!error) return 'it was refused, but did not fail';
	const shown = shownText(error);
	const wrong = reasonProblem(error);
	if (wrong !== undefined) return wrong;
	if (served.asked > 1 && !isWorthRepeating(refusal, served.method))
		return `it was sent ${served.asked} times`;
	const isUnclear = refusal.status >= 500 && served.method !== 'GET';
	if (!isUnclear) return missingWords(refusal, shown);
	// Whoever sends it again does it twice: that counts more than the words of a service in trouble.
	return /may have been/.test(shown) ? undefined : 'the error does not say that it may have been carried out';
}

/** What is wrong with the items of what was carried out and told as it should be. */
function contentProblem(
	{ kind, setField }: AnsweredOperation,
	subject: Json,
	{ items }: Meeting,
): string | undefined {
	const wanted = `not ${JSON.stringify(subject)}`;
	for (const { json } of items) {
		if (kind === 'deletion' && json.deleted !== true) return 'an item does not say that it was deleted';
		if (kind === 'set' && !same(json[setField as string], subject)) return `the set is ${wanted}`;
		if ((kind === 'read' || kind === 'record' || kind === 'message') && !same(json, subject))
			return `the record is ${wanted}`;
		if (kind === 'import' && Object.entries(COUNTS as object).some(([name, count]) => json[name] !== count))
			return `the counts are ${wanted}`;
	}
	return undefined;
}

function listProblem(subject: Json[], copies: number, { items }: Meeting): string | undefined {
	// Nothing was unread: one item, so that the workflow goes on.
	const ofOne = subject.length > 0 ? subject : [{ success: true }];
	const wanted = Array.from({ length: copies }, () => ofOne).flat();
	return same(
		items.map(({ json }) => json),
		wanted,
	)
		? undefined
		: `the list is not ${JSON.stringify(wanted)}`;
}

function problemIn(
	operation: AnsweredOperation,
	{ answer, status, refusal, copies }: AnswerTenant,
	served: ServedAnswer,
	run: Meeting,
): string | undefined {
	const offence = offenceOf(run);
	if (offence !== undefined) return offence;
	const { error, items } = run;
	const requests = isBatch(operation) ? 1 : copies;
	if (served.method === 'POST' && served.carriedOut > requests)
		return `it was carried out ${served.carriedOut} times`;
	// Each check of a PIN that fails brings the service's lock nearer, so it is never sent again.
	const isRepeated = (one: Refusal) =>
		one.once && isWorthRepeating(one, served.method) && operation.name !== 'user: verifyPin';
	const isRefused = refusal !== null && !isRepeated(refusal);
	if (isRefused) return refusalProblem(refusal, served, run);
	const telling = isTelling(answer) && status !== 204;
	if (answer === 'success is false' && status !== 204) {
		if (!error) return 'the service says that it failed, but it did not fail';
		return shownText(error).includes('No such thing') ? undefined : 'the error does not say why';
	}
	if (operation.kind === 'message' && !(telling && 'id' in (served.subject as object)))
		return error && /unclear whether/.test(error.message) ? undefined : 'it was no message, but not unclear';
	if (error)
		return operation.kind === 'read' ? 'it was answered, but failed' : 'it was carried out, but failed';
	if (operation.kind === 'mark all read' && telling)
		return listProblem(served.subject as Json[], copies, run);
	if (operation.kind === 'mark all read') return undefined;
	if (items.length !== requests) return `${items.length} items came for ${requests}`;
	return telling || operation.kind === 'deletion'
		? contentProblem(operation, served.subject, run)
		: undefined;
}

/** Runs an operation against a generated tenant. @returns what is wrong with what came */
export async function askFor(
	server: TenantServer,
	operation: AnsweredOperation,
	generated: AnswerTenant,
	tally: AnswerTally,
): Promise<string | undefined> {
	// After a refused item the run may or may not have come to the next one.
	const tenant = generated.refusal ? { ...generated, copies: 1 } : generated;
	const makeTenant = (token: string) => new ServedAnswer(operation, tenant, token);
	const run = await meet(server, operation, makeTenant, tenant.copies);
	const served = run.tenant as ServedAnswer;
	tally.tenants++;
	if (served.carriedOut > 0) tally.carriedOut++;
	if (served.refused > 0) tally.refused++;
	if (served.refused > 0 && served.asked > 1) tally.askedAgain++;
	const problem = problemIn(operation, tenant, served, run);
	return problem === undefined ? undefined : told(problem, operation, tenant, run);
}
