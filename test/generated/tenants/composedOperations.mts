import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { pixelBinary } from '../../engine/pixel.mts';
import { changed, DELIVERY_TRAITS, numberId, type Trait, traitsFor, without } from './composedAnswers.mts';
import { ComposedTenant, KNOWN_FILE, NUMBER, type RequestName } from './composedTenant.mts';
import type { Outcome } from './composedRuns.mts';
import { type Meeting, meet, offenceOf, reasonProblem, shownText } from './generated.mts';
import type { Operation } from './operations.mts';
import type { Json } from './records.mts';
import type { TenantServer } from './tenantServer.mts';

/** An operation that makes several requests. */
interface ComposedOperation extends Operation {
	/** What is wrong with a run, apart from offences and errors without a reason. */
	problemIn: (tenant: ComposedTenant, run: Meeting) => string | undefined;
	/** Its requests. */
	requests: RequestName[];
	/** Whether the person has agreed to marketing. */
	isOptedIn?: boolean;
}

/** A meeting of an operation with a tenant that answers one of its requests in one unusual way. */
export interface ComposedCase {
	/** The name under which it may be known to fail; several cases may have the same. */
	name: string;
	operation: ComposedOperation;
	request: RequestName;
	trait: Trait;
}

const chosen = (value: number | string) => ({ __rl: true, mode: 'list', value });

const image: INodeExecutionData[] = [{ json: {}, binary: { data: pixelBinary } }];

const sorted = (values: string[]) => [...values].sort().join(', ');

/**
 * Holds the sets against what was meant: each is exactly that, or the run failed and the set is as it was.
 *
 * @param paths the sets, in the order of the items
 * @param meant the elements, made from what was attached
 * @param shown how an element is compared
 */
function setProblem(
	{ paths, meant }: { paths: string[]; meant: (tenant: ComposedTenant) => string[] },
	shown: (tenant: ComposedTenant, id: string) => string = (_tenant, id) => id,
) {
	return (tenant: ComposedTenant, { error }: Meeting): string | undefined => {
		for (const path of paths) {
			const kept = sorted(tenant.setOf(path).map((id) => shown(tenant, id)));
			const wanted = sorted(meant(tenant));
			if (kept === wanted) continue;
			if (tenant.written.has(path)) return `${path} is now ${kept || 'empty'}, not ${wanted}`;
			if (!error) return `${path} is still ${kept}, not ${wanted}, and the run did not fail`;
		}
		return undefined;
	};
}

const SET_PATHS: Record<string, string> = { customer: 'users', profile: 'groups', media: 'tags' };

function idSet(
	resource: string,
	operation: string,
	parameter: string,
	given: number[],
	meant: (attached: string[]) => string[],
): ComposedOperation {
	const path = `/${resource}${resource === 'media' ? '' : 's'}/7/${parameter === 'tagIds' ? 'tags' : SET_PATHS[resource]}`;
	return {
		name: `${resource}: ${operation}`,
		parameters: {
			resource,
			operation,
			[`${resource}Id`]: chosen(7),
			[parameter]: given,
			ifEmpty: 'removeAll',
		},
		requests: ['the set', 'the write'],
		problemIn: setProblem({ paths: [path], meant: ({ attached }) => meant(attached) }),
	};
}

const union = (attached: string[]) => [...attached, '7'];

/** Two items that name the same new title, each for a record of its own. */
function titleSet(resource: 'media' | 'profile', operation: 'addTags' | 'setTags'): ComposedOperation {
	const keeps = operation === 'addTags';
	const locator = { [`${resource}Id`]: { __rl: true, mode: 'list', value: '={{ $json.record }}' } };
	const places = resource === 'media' ? 'media' : 'profiles';
	return {
		name: `${resource}: ${operation} by title`,
		parameters: { resource, operation, ...locator, tagIds: [], tags: 'VIP, Fresh' },
		items: [{ json: { record: 7 } }, { json: { record: 8 } }],
		requests: [...(keeps ? (['the set'] as const) : []), 'the tags', 'the write'],
		problemIn: setProblem(
			{
				paths: [`/${places}/7/tags`, `/${places}/8/tags`],
				meant: () => (keeps ? ['VIP', 'Newsletter', 'Sale', 'Fresh'] : ['VIP', 'Fresh']),
			},
			(tenant, id) => tenant.titleOf(id),
		),
	};
}

/** Whether a value is somewhere within JSON. */
function holds(value: Json, wanted: ReadonlySet<string>): boolean {
	if (typeof value === 'string') return wanted.has(value);
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some((member) => holds(member, wanted));
}

/** What goes out once, with the file, or not at all. */
function fileProblem(list: 'media' | 'messages') {
	return (tenant: ComposedTenant, { error }: Meeting): string | undefined => {
		const sent = tenant[list];
		if (sent.length > 1) return `it went out ${sent.length} times`;
		if (sent.some((body) => !holds(body, tenant.files)))
			return `it went out without its file: ${JSON.stringify(sent[0])}`;
		if (sent.length === 0 && !error) return 'nothing went out, and the run did not fail';
		return undefined;
	};
}

const template = {
	...{ resource: 'message', operation: 'sendTemplate' },
	...{ agentId: chosen(11), templateName: chosen('opening_hours'), templateLanguage: 'en_US', simple: false },
};

const withHeader = (file: string): INodeParameters => ({
	...template,
	...{ recipient: 'phoneNumber', phoneNumber: `+${NUMBER}` },
	...{ variablesMode: 'components', header: { header: { type: 'image', file } } },
});

/** A template goes to whom has agreed, and to nobody of whom that is not known. */
function consentProblem(tenant: ComposedTenant, { error, items }: Meeting): string | undefined {
	const isSent = tenant.messages.length > 0;
	if (tenant.messages.length > 1) return `it went out ${tenant.messages.length} times`;
	if (!tenant.isOptedIn) return isSent ? 'it went to a person who has not opted in' : undefined;
	if (isSent) return undefined;
	const said = error ? shownText(error) : JSON.stringify(items.map(({ json }) => json));
	if (/not opted in/.test(said)) return 'it says that a person has not opted in who has';
	return error ? undefined : 'nothing went out, and the run did not fail';
}

function guarded(
	to: 'a customer' | 'a number',
	withoutConsent: 'fail' | 'skip',
	isOptedIn: boolean,
): ComposedOperation {
	const recipient =
		to === 'a customer'
			? { recipient: 'customer', customerId: chosen(101) }
			: { recipient: 'phoneNumber', phoneNumber: `+${NUMBER}` };
	return {
		name: `message: sendTemplate with consent to ${to}`,
		parameters: { ...template, ...recipient, options: { withoutConsent } },
		requests: [
			...(to === 'a customer' ? (['the customer'] as const) : []),
			...(['the search', 'the consent', 'the message'] as const),
		],
		problemIn: consentProblem,
		isOptedIn,
	};
}

/** A preview sends nothing, and tells no consent that is not the person's. */
function previewProblem(tenant: ComposedTenant, { error, items }: Meeting): string | undefined {
	if (tenant.messages.length > 0) return 'it went out';
	if (error) return undefined;
	const [consent] = items.map(({ json }) => json.consent as { is_opted_in: unknown } | undefined);
	if (consent?.is_opted_in === tenant.isOptedIn) return undefined;
	// What cannot be read is not known, and somebody who cannot be found has not agreed.
	const isUnknown = consent?.is_opted_in === null || JSON.stringify(consent).includes('has no profile');
	return isUnknown ? undefined : `the consent is ${JSON.stringify(consent)}, not ${tenant.isOptedIn}`;
}

const previewed = [true, false].map(
	(isOptedIn): ComposedOperation => ({
		name: 'message: previewTemplate to a customer',
		parameters: {
			...template,
			...{ operation: 'previewTemplate', recipient: 'customer', customerId: chosen(101) },
		},
		requests: ['the customer', 'the search', 'the consent'],
		problemIn: previewProblem,
		isOptedIn,
	}),
);

const guardedWays = (['a customer', 'a number'] as const).flatMap((to) => [
	guarded(to, 'skip', true),
	guarded(to, 'skip', false),
	guarded(to, 'fail', true),
]);

/** All operations that make several requests. */
export const COMPOSED: ComposedOperation[] = [
	idSet('customer', 'addUsers', 'userIds', [9, 7], union),
	idSet('customer', 'removeUsers', 'userIds', [9], ([first, , third]) => [first, third]),
	idSet('profile', 'addGroups', 'groupIds', [9, 7], union),
	idSet('profile', 'addTags', 'tagIds', [9, 7], union),
	idSet('media', 'addTags', 'tagIds', [9, 7], union),
	titleSet('profile', 'setTags'),
	titleSet('profile', 'addTags'),
	titleSet('media', 'setTags'),
	titleSet('media', 'addTags'),
	...guardedWays,
	...previewed,
	{
		name: 'media: create from a binary field',
		parameters: { resource: 'media', operation: 'create', source: 'binary', type: 'image' },
		items: image,
		requests: ['the upload', 'the media item'],
		problemIn: fileProblem('media'),
	},
	{
		name: 'message: send from a binary field',
		parameters: {
			...{ resource: 'message', operation: 'send', conversationId: '7', simple: false },
			...{ messageType: 'image', mediaSource: 'binary' },
		},
		items: image,
		requests: ['the MIME types', 'the size limits', 'the upload', 'the message'],
		problemIn: fileProblem('messages'),
	},
	{
		name: 'message: sendTemplate with a header from a binary field',
		parameters: withHeader('data'),
		items: image,
		requests: ['the MIME types', 'the size limits', 'the upload', 'the message'],
		problemIn: fileProblem('messages'),
	},
	{
		name: 'message: sendTemplate with a header from an uploaded file',
		parameters: withHeader(KNOWN_FILE),
		requests: ['the temporary URL', 'the message'],
		problemIn: fileProblem('messages'),
	},
];

const READS: RequestName[] = [
	...(['the set', 'the tags', 'the customer', 'the search', 'the consent'] as const),
	...(['the MIME types', 'the size limits', 'the temporary URL'] as const),
];

const LISTS: RequestName[] = ['the set', 'the write', 'the tags', 'the search'];

/** A trait in which one member of a record has another value, or another name. */
const member = (name: string, value: (usual: Json) => Json, what: string, more: Partial<Trait> = {}) =>
	changed(`${name} ${what}`, (record) => ({ ...record, [name]: value(record[name]) }), more);

const renamed = (name: string, other: string) =>
	changed(`${name} under ${other}`, (record) => ({ ...without(record, name), [other]: record[name] }));

const absent = (name: string) => changed(`${name} absent`, (record) => without(record, name));

/** A text member that a tenant may leave out or write otherwise. */
const unsure = (name: string, ...others: string[]): Trait[] => [
	absent(name),
	member(name, () => null, 'is null'),
	member(name, () => '', 'is empty'),
	member(name, () => ({ value: null }), 'is an object'),
	...others.map((other) => renamed(name, other)),
];

const kinds = (what: string, change: (usual: Json) => Json) => member('image', change, what);

/** What can only be answered to one kind of request. */
const OWN_TRAITS: Partial<Record<RequestName, Trait[]>> = {
	'the tags': [
		...unsure('title', 'name', 'label'),
		member('title', (title) => ({ en: title, de: title }), 'by language'),
		member('title', (title) => `${String(title)} `, 'with a space after it'),
	],
	'the customer': [
		...unsure('display_id', 'phone_number'),
		member('display_id', (digits) => numberId(String(digits)), 'as a number', { must: 'always' }),
		member('display_id', (digits) => `+${String(digits)}`, 'with a plus'),
		member('display_id', () => '+49 171 1234567', 'with spaces'),
	],
	'the search': [
		...unsure('phone_number', 'phone', 'display_id'),
		member('phone_number', (digits) => numberId(String(digits)), 'as a number', { must: 'always' }),
		member('phone_number', (digits) => `+${String(digits)}`, 'with a plus'),
		member('phone_number', (digits) => String(digits).replace(/^(..)(...)/, '+$1 $2 '), 'with spaces'),
	],
	'the consent': [
		absent('is_opted_in'),
		member('is_opted_in', () => null, 'is null'),
		member('is_opted_in', Number, 'as a number'),
		member('is_opted_in', String, 'as text'),
	],
	'the upload': [
		...unsure('internal_uuid', 'uuid', 'id'),
		...unsure('url', 'link').map((trait) => ({ ...trait, name: `its ${trait.name}` })),
		changed('internal_uuid and url absent', (record) => without(record, 'internal_uuid', 'url')),
		changed('internal_uuid and url of null', (record) => ({ ...record, internal_uuid: null, url: null })),
	],
	'the temporary URL': unsure('url', 'link', 'temporary_url'),
	'the MIME types': [
		...unsure('image'),
		kinds('is text', () => 'image/jpeg, image/png'),
		kinds('is a map', () => ({ 0: 'image/png' })),
		kinds('is empty', () => []),
		kinds('in capitals', () => ['IMAGE/PNG']),
		kinds('is any', () => ['image/*']),
	].filter(({ name }, index, all) => all.findIndex((trait) => trait.name === name) === index),
	'the size limits': [
		...unsure('temporary_upload_mb', 'upload_mb'),
		member('temporary_upload_mb', () => ({ image: '8' }), 'as text'),
		member('temporary_upload_mb', () => ({ image: null }), 'of null'),
		member('temporary_upload_mb', () => 8, 'as one number'),
	],
};

function traitsOf({ name }: ComposedOperation, request: RequestName): Trait[] {
	// What is answered to the last request is looked at elsewhere; but the next item may build on it.
	const isLast = ['the write', 'the media item', 'the message'].includes(request);
	if (isLast && !name.endsWith('by title')) return DELIVERY_TRAITS;
	// Nobody asks for a second page of what a write answers.
	if (isLast)
		return traitsFor(true).filter((trait) => !trait.name.startsWith('pages:') && !trait.hasLargeIds);
	return [...traitsFor(LISTS.includes(request)), ...(OWN_TRAITS[request] ?? [])];
}

export const COMPOSED_CASES: ComposedCase[] = COMPOSED.flatMap((operation) =>
	operation.requests.flatMap((request) =>
		traitsOf(operation, request).map((trait) => ({
			name: `${operation.name}: ${request}: ${trait.name}`,
			operation,
			request,
			trait,
		})),
	),
);

/** Whether a run that fails is a problem already. */
function isOwed({ must, isPaged }: Trait, request: RequestName): boolean {
	// The interface says of the search that it is paginated.
	return (
		must === 'always' ||
		(must === 'read' && READS.includes(request)) ||
		(isPaged === true && request === 'the search')
	);
}

/** JavaScript's own words, which are no reason. */
const NO_REASON =
	/undefined|\[object|object null|is not a function|is not iterable|is not valid JSON|Invalid URL|Cannot (convert|destructure|read)|Unexpected token/;

/** What is wrong with the words of an error, whatever kind it is of. */
export function mistakeIn(error: NonNullable<Meeting['error']>): string | undefined {
	const [match] = NO_REASON.exec(shownText(error)) ?? [];
	return match && `the error names no reason, but "${match}"`;
}

/** What is wrong with an error of a run. */
export function wordsProblem(error: NonNullable<Meeting['error']>): string | undefined {
	return reasonProblem(error) ?? mistakeIn(error);
}

/** Runs an operation against a tenant that answers one of its requests in one unusual way. */
export async function meetComposed(
	server: TenantServer,
	{ operation, request, trait }: ComposedCase,
): Promise<Outcome> {
	const { isOptedIn = false, problemIn } = operation;
	const run = await meet(
		server,
		operation,
		() => new ComposedTenant(server.origin, { request, trait }, isOptedIn),
	);
	const tenant = run.tenant as ComposedTenant;
	// A look-up beside the one that failed may still come.
	server.serve(run.token, tenant);
	const { error } = run;
	const problem =
		offenceOf(run) ??
		problemIn(tenant, run) ??
		(error && wordsProblem(error)) ??
		(error && isOwed(trait, request) ? `it failed: ${error.message}` : undefined);
	return { problem, isMet: (tenant.counts.get(request) ?? 0) > 0 };
}
