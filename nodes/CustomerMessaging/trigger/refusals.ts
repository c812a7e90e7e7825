/** Why a delivery starts nothing, which the sender may read, and what to do. After 500 the sender repeats the delivery. */
export const REFUSALS = {
	credential: [
		500,
		'The trigger has no credential',
		'Choose one. It holds what the service sends as a proof.',
	],
	failure: [500, 'n8n could not take the webhook', 'The log of n8n says why.'],
	filters: [
		200,
		'No message of the webhook passes the Filters',
		'Change the Filters, or send a message that passes them.',
	],
	kind: [
		200,
		'The webhook is about another event',
		'Other events start it only if Pass Unknown Events is on.',
	],
	proof: [
		401,
		'The secret, login or signature is wrong or missing',
		'Enter the same values in the credential and in the webhook settings of your account.',
	],
	repeated: [200, 'The webhook has arrived before', 'Ignore Redeliveries under Options leaves it out.'],
	size: [413, 'The webhook is larger than 1 MB', 'Have the service send less at once.'],
	type: [
		415,
		'The content type of the webhook is not JSON',
		'Set it to application/json in the webhook settings of your account.',
	],
	unreadable: [
		400,
		'The body of the webhook is not a JSON object or a list of objects in UTF-8, or has more than 100 levels',
		'Check the content type and the body in the webhook settings of your account.',
	],
} satisfies Record<string, [status: number, reason: string, remedy: string]>;

/** Thrown where a delivery is found to start nothing. */
export class Refused extends Error {
	/** @param detail for the person in the editor and n8n's log; it holds no secret */
	constructor(
		readonly kind: keyof typeof REFUSALS,
		readonly detail = '',
	) {
		super(REFUSALS[kind][1]);
	}
}
