import type { ChoiceName } from '../../sandbox/choices.mts';

/** What a difference means for the node. */
export type Consequence = 'breaks' | 'copes' | 'unknown';

/** A kind of difference: what was expected, where the finding does not say it, and what to do. */
export type Rule = [consequence: Consequence, todo: string, expected?: string];

const TELL = 'Tell the operator of the tenant: the operation of the node fails here.';
const TRY = 'Run the operation of the node, and look at its output.';
const LATER = 'Try again later. If it stays, tell the operator.';

/** The choices that a check can see. */
export type SeenChoice = Exclude<ChoiceName, 'profileTags' | 'profileTimes' | 'templateSession'>;

/** Everything in which a tenant can differ, apart from statuses. */
export const RULES = {
	envelope: ['copes', 'Nothing.', 'the records in `data`'],
	links: ['copes', 'Nothing.', 'links to the address of the tenant'],
	ids: ['copes', 'Compare IDs as text in workflows.', 'IDs as numbers'],
	created: ['copes', 'Nothing.', 'status 200 for a creation'],
	deleted: ['copes', 'Nothing.', '`{ "data": [] }` for a deletion'],
	errors: [
		'copes',
		'Look into the logs of the tenant for what the node does not show.',
		'`message`, `errors`',
	],
	pageSize: ['copes', 'Nothing: lists may take more requests.', '`per_page` to count on GET /profiles'],
	wrapper: ['copes', 'Nothing.', 'the content in `data`, or alone as the interface shows it'],
	content: ['breaks', TELL],
	body: ['breaks', TELL, 'JSON'],
	unread: ['unknown', TRY, 'a body that can be looked at'],
	needed: ['breaks', TELL],
	member: ['copes', 'The node passes it on. Expect it in workflows.'],
	value: ['unknown', TRY],
	never: [
		'unknown',
		'Do not rely on it in workflows, unless you know records that have it.',
		'all members shown',
	],
	beside: ['copes', 'Nothing.', 'nothing beside `data`'],
	idLost: [
		'breaks',
		'Ask the operator for IDs as text: another record could be meant.',
		'IDs that a number keeps',
	],
	idTwice: [
		'breaks',
		'Tell the operator: records with one ID are one for the node.',
		'each ID once in a list',
	],
	order: ['copes', 'Sort in workflows. The node finds tags in any order.', 'tags by title, ascending'],
	time: ['copes', 'Expect this form in workflows. The node only compares such times with each other.'],
	timeUnread: ['unknown', 'Convert it in workflows. A polling trigger that needs this time sees no changes.'],
	markFirst: ['copes', 'Nothing.', 'JSON'],
	mediaType: ['copes', 'Nothing.'],
	late: ['copes', 'Keep the Timeout of the credential above this.', 'a response within seconds'],
	noAnswer: ['breaks', LATER, 'a response'],
	more: [
		'breaks',
		'Tell the operator: the node ends with an error after this page.',
		'a way to the next page',
	],
	page: ['breaks', 'Tell the operator: the node ends with an error there.', 'other records on the next page'],
	pageEmpty: [
		'unknown',
		'Compare how many records the node reads.',
		'records on the page that should follow',
	],
	missing: [
		'unknown',
		'Do not rely on the error Not Found in workflows.',
		'status 404 for a record that is not there',
	],
	failureAsSuccess: [
		'copes',
		'Nothing: the node takes it for a failure.',
		'a status of 400 or more for a failure',
	],
	address: ['unknown', TRY, 'an address with its host'],
	unchanged: ['breaks', TELL, 'the value that the request set'],
	search: ['unknown', 'Filter in workflows.', '`search` to leave out what does not match'],
	orderBy: ['copes', 'Sort in workflows.', '`order_by=id:desc` to turn the order round'],
	parameter: [
		'unknown',
		'Leave out this filter of the operation.',
		'a parameter of the interface to be taken',
	],
	limits: ['copes', 'Set the request limits of the credential.', '429 with a Retry-After header'],
} as const satisfies Record<string, Rule> & Record<SeenChoice, Rule>;

export type RuleName = keyof typeof RULES;

/** What to do where a finding has another consequence than its rule. */
export const TODO_OF: Partial<Record<Consequence, string>> = { breaks: TELL, copes: 'Nothing.' };

/** What another status than 200 means. The first that fits counts. */
const STATUS_RULES: Array<[status: RegExp, ...Rule]> = [
	[/^2/, 'copes', 'Nothing.'],
	[
		/^3/,
		'breaks',
		'The node follows no redirect: name the host that it redirects to, if all requests do that.',
	],
	[/^40[13]$/, 'unknown', 'Use a token that may do this, or expect that the node may not do it either.'],
	[
		/^(404|405|410|501)$/,
		'breaks',
		'Ask the operator whether the tenant has this endpoint: the operation fails.',
	],
	[/^5/, 'unknown', LATER],
	[/^/, 'breaks', TELL],
];

export function statusRule(status: number): Rule {
	const [, consequence, todo] =
		STATUS_RULES.find(([pattern]) => pattern.test(String(status))) ?? STATUS_RULES[0];
	return [consequence, todo, 'status 200'];
}

/** Members that the node itself reads, so that an operation fails or goes wrong without them. All others it passes on. */
export const isNeeded = (place: string): boolean =>
	/(^|[.\]])(id|title|internal_uuid|url|is_opted_in|channel)$/.test(place);

/** What the choices of a tenant look like, where their name does not say it. */
export const CHOICE_WORDS: Partial<Record<SeenChoice, Record<string, string>>> = {
	links: { proxied: 'links to another address' },
	ids: { text: 'IDs as text' },
	deleted: { '204': 'status 204', 'empty-body': 'an empty body' },
	errors: { problem: 'a failure as in RFC 9457' },
	orderBy: { ignored: '`order_by` is ignored', refused: '`order_by` is refused' },
	pageSize: {
		everywhere: '`per_page` counts on other lists too',
		ignored: '`per_page` is ignored',
		'400': '`per_page` is refused with 400',
		'422': '`per_page` is refused with 422',
		other: '`per_page` is taken differently by different lists',
	},
};
