import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { unwrapped } from '../transport/envelope';
import { request } from '../transport/request';

/** What to do with people who have not agreed to marketing messages. */
export const consentGuard: INodeProperties = {
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
};

/** The profile of a recipient; undefined when there is none yet. */
async function profileOf(
	context: IExecuteSingleFunctions,
	body: IDataObject,
): Promise<IDataObject | undefined> {
	let digits = String(body.phone_number ?? '');
	if (body.customer_id !== undefined) {
		const answer = await request(context, { url: `/customers/${String(body.customer_id)}` });
		digits = String((unwrapped(answer.body) as IDataObject).display_id ?? '');
	}
	const found = unwrapped((await request(context, { url: '/profiles', qs: { search: digits } })).body);
	return (Array.isArray(found) ? (found as IDataObject[]) : []).find(
		(profile) => String(profile.phone_number ?? profile.phone ?? '') === digits,
	);
}

/**
 * Looks whether a template may go to its recipient, as the option *Without Marketing Consent* says.
 *
 * @param body the request's body, with `customer_id` or `phone_number`
 * @returns the item to give out instead of sending, or undefined to send
 * @throws NodeOperationError when the person has not opted in and the option says to fail
 */
export async function withoutConsent(
	context: IExecuteSingleFunctions,
	body: IDataObject,
): Promise<IDataObject | undefined> {
	const mode = context.getNodeParameter('options.withoutConsent', 'send');
	if (mode !== 'skip' && mode !== 'fail') return undefined;
	const profile = await profileOf(context, body);
	if (profile) {
		const answer = await request(context, { url: `/profiles/${String(profile.id)}/marketing-opt-in` });
		if ((unwrapped(answer.body) as IDataObject).is_opted_in === true) return undefined;
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
