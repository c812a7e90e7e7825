import { bodyField } from '../runner/field';
import { phoneDigits } from '../values/phoneNumber';
import { text } from '../values/text';

/** The phone number that identifies a customer of the chat app (rule 2 for customers). */
export const customerPhoneNumber = bodyField('display_id', phoneDigits, {
	displayName: 'Phone Number',
	name: 'displayId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +49 171 1234567',
	description: 'The phone number with country code, in any usual writing',
});

/** The name of a customer, which is also the name of its profile (rule 3 for customers). */
export const customerName = bodyField('name', text, {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Nathan Smith',
	description: 'The name of the customer and of its profile',
});
