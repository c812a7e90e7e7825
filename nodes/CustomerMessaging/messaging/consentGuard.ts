import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Body } from '../contract/endpoints';
import { setting } from '../runner/field';
import type { ValueOf } from '../runner/operation';
import { ask, askForList } from '../transport/ask';
import { oneOf } from '../values/choices';

/** The action for recipients who have not agreed to marketing messages. */
export const consentGuard = setting('options.withoutConsent', oneOf('fail', 'send', 'skip'), {
	displayName: 'Without Marketing Consent',
	name: 'withoutConsent',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item ends in an error' },
		{ name: 'Send', value: 'send', description: 'Consent is not looked at' },
		{ name: 'Skip', value: 'skip', description: 'Nothing is sent; the item says that it was skipped' },
	],
	default: 'send',
	description: 'What to do when the profile of the recipient has not opted in to marketing',
});

type Recipient = Pick<Body<'POST /chatapp/send-template'>, 'customer_id' | 'phone_number'>;

/** A profile in a tenant's response. The interface does not document the name of the phone number's member. */
interface Profile {
	id?: unknown;
	phone_number?: unknown;
	phone?: unknown;
}

/** Finds the profile of a recipient; undefined if there is none yet. */
async function profileOf(
	context: IExecuteSingleFunctions,
	recipient: Recipient,
): Promise<Profile | undefined> {
	let digits = String(recipient.phone_number ?? '');
	if (recipient.customer_id !== undefined) {
		const customer = await ask(context, 'GET /customers/{id}', { path: { id: recipient.customer_id } });
		digits = String(customer.display_id ?? '');
	}
	const found: Profile[] = await askForList(context, 'GET /profiles', { query: { search: digits } });
	return found.find(({ phone_number, phone }) => String(phone_number ?? phone ?? '') === digits);
}

/**
 * Checks whether a template may be sent to its recipient.
 *
 * @param mode value of the option *Without Marketing Consent*
 * @returns the output item if nothing is to be sent, or undefined if the message may be sent
 * @throws NodeOperationError when the recipient has not opted in and `mode` is `fail`
 */
export async function withoutConsent(
	context: IExecuteSingleFunctions,
	recipient: Recipient,
	mode: ValueOf<typeof consentGuard>,
): Promise<IDataObject | undefined> {
	if (mode === 'send') return undefined;
	const profile = await profileOf(context, recipient);
	if (profile) {
		const path = { id: profile.id };
		const consent = await ask(context, 'GET /profiles/{id}/marketing-opt-in', { path });
		if (consent.is_opted_in === true) return undefined;
	}
	const reason = 'The recipient has not opted in to marketing messages';
	if (mode === 'fail') {
		throw new NodeOperationError(context.getNode(), reason, {
			itemIndex: context.getItemIndex(),
			description:
				'Record the consent first (Profile: Set Marketing Consent), or set Without Marketing Consent to Skip.',
		});
	}
	return { skipped: true, reason, profile_id: (profile?.id as number | undefined) ?? null };
}
