import type { ChoiceName } from '../../sandbox/choices.mts';

/** What a difference means for the node. */
export type Consequence = 'breaks' | 'copes' | 'unknown';

interface Rule {
	consequence: Consequence;
	expected: string;
	todo: string;
}

const ASK = 'Tell the operator of the tenant: the operation of the node fails here.';
const NOTHING = 'Nothing.';
const WORKFLOWS = 'The node passes it on. Expect it in workflows.';

/** Everything in which a tenant can differ, apart from statuses. Where one difference can mean more, the finding says so. */
export const RULES = {
	envelope: { consequence: 'copes', expected: 'the records in `data`', todo: NOTHING },
	links: { consequence: 'copes', expected: 'links to the address of the tenant', todo: NOTHING },
	ids: {
		consequence: 'copes',
		expected: 'IDs as numbers',
		todo: 'Compare IDs as text in workflows.',
	},
	created: { consequence: 'copes', expected: 'status 200 for a creation', todo: NOTHING },
	deleted: { consequence: 'copes', expected: '`{ "data": [] }` for a deletion', todo: NOTHING },
	errors: {
		consequence: 'copes',
		expected: 'a failure with `message` and `errors`',
		todo: 'Nothing: the node shows the message that it finds.',
	},
	pageSize: {
		consequence: 'copes',
		expected: '`per_page` to count on GET /profiles',
		todo: 'Nothing: lists may take more requests.',
	},
	wrapper: {
		consequence: 'copes',
		expected: 'the content in `data`, or alone as the interface shows it',
		todo: NOTHING,
	},
	content: { consequence: 'breaks', expected: 'the content that the interface shows', todo: ASK },
	body: { consequence: 'breaks', expected: 'JSON', todo: ASK },
	unread: {
		consequence: 'unknown',
		expected: 'a body that can be looked at',
		todo: 'Run the operation of the node, and look at its output.',
	},
	needed: { consequence: 'breaks', expected: '', todo: ASK },
	member: { consequence: 'copes', expected: '', todo: WORKFLOWS },
	value: {
		consequence: 'unknown',
		expected: '',
		todo: 'Run the operation of the node, and look at its output.',
	},
	never: {
		consequence: 'unknown',
		expected: 'the members that the interface shows',
		todo: 'Do not rely on them in workflows, unless you know records that have them.',
	},
	beside: { consequence: 'copes', expected: 'nothing beside `data`', todo: NOTHING },
	idLost: {
		consequence: 'breaks',
		expected: 'IDs that a number keeps',
		todo: 'Ask the operator of the tenant to send IDs as text: another record could be meant.',
	},
	idTwice: {
		consequence: 'breaks',
		expected: 'each ID once in a list',
		todo: 'Tell the operator of the tenant: the node takes records with one ID for one record.',
	},
	order: {
		consequence: 'copes',
		expected: 'tags by title, ascending',
		todo: 'Sort in workflows that need an order. The node finds tags in any order.',
	},
	time: {
		consequence: 'copes',
		expected: '',
		todo: 'Tell workflows the form and the time zone. The node only compares these times with each other.',
	},
	timeUnread: {
		consequence: 'unknown',
		expected: '',
		todo: 'Convert it in workflows. A polling trigger that needs this time does not see changes.',
	},
	markFirst: { consequence: 'copes', expected: 'JSON', todo: NOTHING },
	mediaType: { consequence: 'copes', expected: '', todo: NOTHING },
	late: {
		consequence: 'copes',
		expected: 'a response within seconds',
		todo: 'Keep the Timeout of the credential above this.',
	},
	noAnswer: {
		consequence: 'breaks',
		expected: 'a response',
		todo: 'Try again later. If it stays, tell the operator.',
	},
	more: {
		consequence: 'breaks',
		expected: 'a way to the next page',
		todo: 'Tell the operator: the node ends with an error after the first page instead of losing records.',
	},
	page: {
		consequence: 'breaks',
		expected: 'other records on the next page',
		todo: 'Tell the operator: the node ends with an error when a page comes again.',
	},
	missingFound: {
		consequence: 'unknown',
		expected: 'status 404 for a record that does not exist',
		todo: 'Do not rely on the error Not Found in workflows.',
	},
	missingStatus: {
		consequence: 'unknown',
		expected: 'status 404 for a record that does not exist',
		todo: 'The node fails with this status. Only 403 and 404 count as a record that is not there.',
	},
	failureAsSuccess: {
		consequence: 'copes',
		expected: 'a failure with a status of 400 or more',
		todo: 'Nothing: the node takes it for a failure.',
	},
	search: {
		consequence: 'unknown',
		expected: '`search` to leave out what does not match',
		todo: 'Filter in workflows. Searching people by phone number reads more pages.',
	},
	orderBy: {
		consequence: 'copes',
		expected: '`order_by=id:desc` to turn the order round',
		todo: 'Sort in workflows.',
	},
	parameter: {
		consequence: 'unknown',
		expected: 'a query parameter of the interface to be taken',
		todo: 'Leave out the filters of the operation.',
	},
	limits: {
		consequence: 'copes',
		expected: '429 with a Retry-After header',
		todo: 'Set the request limits of the credential. The node waits by itself.',
	},
} as const satisfies Record<string, Rule> & Record<ChoiceName, Rule>;

export type RuleName = keyof typeof RULES;

/** What another status than 200 means. The first that fits counts. */
const STATUS_RULES: Array<[status: RegExp, consequence: Consequence, todo: string]> = [
	[/^2/, 'copes', NOTHING],
	[
		/^3/,
		'breaks',
		'Name the host that it redirects to, if all requests do that: the node follows no redirect.',
	],
	[/^40[13]$/, 'unknown', 'Use a token that may do this, or expect that the node may not do it either.'],
	[
		/^(404|405|410|501)$/,
		'breaks',
		'Ask the operator whether the tenant has this endpoint: the operation of the node fails without it.',
	],
	[/^(429|5..)$/, 'unknown', 'Try again later. If it stays, tell the operator.'],
	[/^/, 'breaks', ASK],
];

export function statusRule(status: number): Rule {
	const [, consequence, todo] = STATUS_RULES.find(([pattern]) => pattern.test(String(status))) ?? [
		'',
		'unknown',
		ASK,
	];
	return { consequence, expected: 'status 200', todo };
}

/** Members that the node itself reads, so that an operation fails or goes wrong without them. All others it passes on. */
const NEEDED = new Set(['id', 'title', 'internal_uuid', 'url', 'is_opted_in', 'channel']);

export const isNeeded = (place: string): boolean =>
	NEEDED.has(place.split('.').at(-1)?.replaceAll('[]', '') ?? '');

/** What the choices of a tenant look like, where their name does not say it. */
export const CHOICE_WORDS: Partial<Record<ChoiceName, Record<string, string>>> = {
	links: { proxied: 'links to another address' },
	ids: { text: 'IDs as text' },
	deleted: { '204': 'status 204', 'empty-body': 'an empty body', other: 'something else' },
	errors: { problem: 'a failure as in RFC 9457', other: 'a failure in another form' },
	pageSize: {
		everywhere: '`per_page` counts on other lists too',
		ignored: '`per_page` is ignored',
		'400': '`per_page` is refused with 400',
		'422': '`per_page` is refused with 422',
		other: '`per_page` is taken differently by different lists',
	},
};
