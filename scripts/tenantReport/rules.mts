import { STATUS_CODES } from 'node:http';
import type { ChoiceName } from '../../sandbox/choices.mts';

/** What a difference means for the node. */
export type Consequence = 'breaks' | 'copes' | 'unknown';

/** A kind of difference: what to do, and what was expected, where the finding does not say it. */
export type Rule = [consequence: Consequence, todo: string, expected?: string];

const TELL = 'Tell the operator of the tenant: the operation of the node fails here.';
const TRY = 'Run the operation of the node, and look at its output.';
const LATER = 'Try again later. If it stays, tell the operator.';
const EXPECT = 'Expect this in workflows: the node passes it on.';
const RENAMED = 'Do not rely on it. It may have another name: see the members below, or use --names.';

/** The choices that a check can see. */
export type SeenChoice = Exclude<ChoiceName, 'profileTags' | 'profileTimes'> | 'errors';

/** Everything in which a tenant can differ. */
export const RULES = {
	envelope: ['copes', 'Nothing.', '`links` and `meta` beside `data`'],
	links: ['copes', 'Nothing.', 'links to the address of the tenant'],
	ids: ['copes', 'Compare IDs as text in workflows.', 'IDs as numbers'],
	created: ['copes', 'Nothing.', 'status 200 for a creation'],
	deleted: ['copes', 'Nothing.', '`{ "data": [] }` for a deletion'],
	errors: ['copes', 'Look into the logs of the tenant for more.', '`message`, `errors`'],
	pageSize: ['copes', 'Nothing: lists may take more requests.', '`per_page` to count on /profiles only'],
	orderBy: ['copes', 'Sort in workflows.', '`order_by=id:desc` to turn the order round'],
	search: ['unknown', 'Filter in workflows.', '`search` to leave out what does not match'],
	parameter: ['unknown', 'Leave out this filter.', 'a parameter of the interface to count'],

	limits: ['copes', 'Set the request limits of the credential.', '429 with a Retry-After header'],
	late: ['copes', 'Keep the Timeout of the credential above this.', 'a response within seconds'],
	noAnswer: ['breaks', LATER, 'a response'],
	missing: ['unknown', 'Do not rely on Not Found errors.', 'status 404 for a record that is not there'],
	failureAsSuccess: [
		'copes',
		'Nothing: the node takes it for a failure.',
		'a failure to have status 4xx or 5xx',
	],

	wrapper: ['copes', 'Nothing.', 'the content in `data`, or alone as the interface shows it'],
	content: ['breaks', TELL],
	body: ['breaks', TELL, 'JSON'],
	unread: ['unknown', TRY, 'a body that can be looked at'],
	beside: ['copes', 'Nothing.', 'nothing beside `data`'],
	markFirst: ['copes', 'Nothing.', 'JSON'],
	mediaType: ['copes', 'Nothing.'],
	paged: ['copes', 'Nothing: the node reads all pages.', 'the whole list in one response'],
	more: ['breaks', 'Tell the operator: the node fails after this page.', 'a way to the next page'],
	page: ['breaks', 'Tell the operator: the node ends with an error there.', 'other records on the next page'],
	pageEmpty: ['unknown', 'Count the records that the node reads.', 'records on the page that should follow'],

	needed: ['breaks', TELL],
	member: ['copes', EXPECT],
	lacking: ['copes', RENAMED],
	never: ['unknown', RENAMED, 'all members that the interface shows'],
	value: ['unknown', TRY],
	idLost: ['breaks', 'Ask for IDs as text: another record could be meant.', 'IDs that a number keeps'],
	idTwice: ['breaks', 'Tell the operator: for the node, it is one record.', 'each ID once in a list'],
	order: ['copes', 'Sort in workflows. The node finds tags in any order.', 'tags by title, ascending'],
	time: ['copes', 'Expect this form in workflows. The node only compares such times with each other.'],
	timeUnread: ['unknown', 'Convert it in workflows. A polling trigger that needs this time sees no changes.'],
	address: ['unknown', TRY, 'an address with its host'],
	unchanged: ['breaks', TELL, 'the value that the request set'],
} as const satisfies Record<string, Rule> & Record<SeenChoice, Rule>;

/** Something that a response shows, in words that have nothing of a value and no name but a known one in them. */
export interface Difference {
	rule: Rule | keyof typeof RULES;
	came: string;
	/** Where they are not those of the rule. */
	consequence?: Consequence;
	expected?: string;
	/** How the tenant decides what the interface leaves open, also where the sandbox decides in the same way. */
	choice?: [name: SeenChoice, value: string];
}

/** What to do where a finding has another consequence than its rule. */
export const TODO_OF: Partial<Record<Consequence, string>> = { breaks: TELL, copes: 'Nothing.' };

/** A status with its name. */
export const statusText = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`.trim();

/** What another status than 200 means, for a path. The first that fits counts. */
const STATUS_RULES: Array<[status: RegExp, ...Rule]> = [
	[/^2/, 'copes', 'Nothing.'],
	[/^3/, 'breaks', 'Name the host that it redirects to: the node follows no redirect.'],
	[/^40[13]/, 'unknown', 'Use a token that may do this, or do without this operation.'],
	[/^404 \/files\//, 'unknown', 'Nothing if the file is older than 90 days: then it is gone.'],
	[/^(404|405|410|501)/, 'breaks', 'Ask the operator whether the tenant has this endpoint.'],
	[/^5/, 'unknown', LATER],
	[/^/, 'breaks', TELL],
];

export function statusSeen(status: number, path: string): Difference {
	const found = STATUS_RULES.find(([pattern]) => pattern.test(`${status} ${path}`)) ?? STATUS_RULES[0];
	return { rule: [found[1], found[2], 'status 200'], came: `status ${statusText(status)}` };
}

/** Members that the node itself reads, so that an operation fails or goes wrong without them. All others it passes on. */
export const isNeeded = (place: string): boolean =>
	/(^|[.\]])(id|title|internal_uuid|url|is_opted_in|channel)$/.test(place);

/** What the choices of a tenant look like, where their name does not say it. */
const CHOICE_WORDS: Partial<Record<SeenChoice, Record<string, string>>> = {
	links: { proxied: 'links to another address' },
	ids: { text: 'IDs as text' },
	deleted: { '204': 'status 204', 'empty-body': 'an empty body' },
	errors: { problem: 'a failure as in RFC 9457' },
	orderBy: { ignored: '`order_by` is ignored', refused: '`order_by` is refused' },
};

/** Says how the tenant decides what the interface leaves open. */
export const choose = (name: SeenChoice, value: string, came?: string): Difference => ({
	rule: name,
	came: came ?? CHOICE_WORDS[name]?.[value] ?? `\`${value}\``,
	choice: [name, value],
});
