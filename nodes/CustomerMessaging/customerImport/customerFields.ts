import { bodyField } from '../runner/field';
import { oneOf } from '../values/choices';
import { phoneDigits } from '../values/phoneNumber';
import { text } from '../values/text';

/** The channel of a new customer. The interface allows only this one (rule 1 for customers). */
export const channel = bodyField('channel', oneOf('chatapp'), {
	type: 'hidden',
	default: 'chatapp',
	required: true,
});

/** The phone number that identifies a customer of the chat app (rule 2 for customers). */
export const phoneNumber = bodyField('display_id', phoneDigits, {
	displayName: 'Phone Number',
	required: true,
	placeholder: 'e.g. +49 171 1234567',
	description: 'The phone number with country code, in any usual writing',
});

/** The name of a customer, which is also the name of its profile (rule 3 for customers). */
export const name = bodyField('name', text, {
	required: true,
	placeholder: 'e.g. Nathan Smith',
	description: 'The name of the customer and of its profile',
});
