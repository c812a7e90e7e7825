export interface Refusal {
	status: 200 | 400 | 401 | 403 | 413 | 415 | 500;
	/** What is wrong. A sender may read it while somebody listens for a test event. */
	reason: string;
	remedy: string;
}

const refusal = (status: Refusal['status'], reason: string, remedy: string): Refusal => ({
	status,
	reason,
	remedy,
});

export const REFUSALS = {
	credential: refusal(
		403,
		'The trigger has no credential',
		'Choose one. It holds what the service sends to prove who it is.',
	),
	failure: refusal(500, 'n8n could not take the webhook', 'The log of n8n says why.'),
	filters: refusal(
		200,
		'No message of the webhook passes the Filters',
		'Change the Filters, or send a message that passes them.',
	),
	kind: refusal(
		200,
		'The webhook is about another event',
		'Other events than the chosen one start it only if Pass Unknown Events is on.',
	),
	proof: refusal(
		401,
		'The secret, login or signature is wrong or missing',
		'Enter the same values in the credential and in the webhook settings of your account.',
	),
	repeated: refusal(200, 'The webhook has come before', 'Ignore Redeliveries under Options leaves it out.'),
	size: refusal(413, 'The webhook is larger than Maximum Size', 'Raise Maximum Size under Options.'),
	type: refusal(
		415,
		'The content type of the webhook is not JSON',
		'Set it to application/json in the webhook settings of your account.',
	),
	unreadable: refusal(
		400,
		'The body of the webhook is not a JSON object or a list of objects in UTF-8, or holds too much',
		'Check the content type and the body in the webhook settings of your account.',
	),
} satisfies Record<string, Refusal>;
