import { additionalFields, bodyField, clearable, options, shownAs, updateFields } from '../core/field';
import { pages } from '../fields/list';
import { emptyCells } from '../core/emptyValues';
import { boolean } from '../values/choices';
import { InvalidValue, type Parse } from '../values/parse';
import { stringOf, text, trimmedText } from '../values/text';
import { operation, resource } from './resource';

/**
 * The interface defines a PIN as a number, which has no leading zeros. So one that begins with 0 is sent as text, which
 * a service that reads digits accepts. A number with fewer digits has lost its zeros, for example in a spreadsheet.
 */
export const pinDigits: Parse<number | string> = (value) => {
	const digits = typeof value === 'number' ? String(value).padStart(6, '0') : stringOf(value).trim();
	if (!/^\d{6}$/.test(digits)) {
		throw new InvalidValue('does not have exactly six digits', 'Enter six digits, e.g. 012345.');
	}
	return digits.startsWith('0') ? digits : Number(digits);
};

const email = bodyField('email', trimmedText, {
	placeholder: 'e.g. name@email.com',
	description: 'It must be unique',
});

const externalGroup = clearable(bodyField('external_group', text, { placeholder: 'e.g. sales' }));

const externalId = clearable(bodyField('external_id', text, { placeholder: 'e.g. crm-42' }));

const name = bodyField('name', text, {
	placeholder: 'e.g. Nathan Smith',
});

const pin = bodyField('pin', pinDigits, {
	placeholder: 'e.g. 012345',
	description: 'Six digits, for switching users',
	typeOptions: { password: true },
});

const isAdmin = bodyField('is_admin', boolean, {
	displayName: 'Admin',
	type: 'boolean',
	description: 'Whether the user can see and edit every customer',
});

export const userResource = resource('user', {
	create: operation('POST /users', 'Create a user of your account', {
		fields: [
			shownAs(name, { required: true }),
			shownAs(email, { required: true }),
			isAdmin,
			additionalFields(externalGroup, externalId, clearable(pin)),
		],
	}),
	delete: operation('DELETE /users/{id}', 'Delete a user. The last admin cannot be deleted.'),
	get: operation('GET /users/{id}', 'Get one user by ID'),
	getAll: operation('GET /users', 'Retrieve a list of users', pages),
	update: operation('PATCH /users/{id}', 'Change fields of a user', {
		fields: [updateFields(email, externalGroup, externalId, name, clearable(pin)), options(emptyCells)],
	}),
	verifyPin: operation(
		'POST /user/{id}/verify-pin',
		'Check a PIN for switching users. The service limits failed attempts.',
		{
			action: 'Verify PIN of user',
			fields: [shownAs(pin, { required: true, description: 'The six-digit PIN to check' })],
		},
	),
});
