import type { INodeExecutionData } from 'n8n-workflow';

import type { Api } from '../api/client';
import { isRefusedWith } from '../api/errors';
import type { Body } from '../contract/endpoints';
import { emptyCells } from '../core/emptyValues';
import { bodyField, clearable, setting, within } from '../core/field';
import type { Run } from '../core/operation';
import { idsByPhone } from '../fields/byPhone';
import { separator } from '../fields/sets';
import { boolean, oneOf, oneOrZero } from '../values/choices';
import { birthDate } from '../values/dates';
import { splitList, recordId, titleList } from '../values/ids';
import { InvalidValue, orUndefinedIfInvalid, type Parse } from '../values/parse';
import { phoneDigits } from '../values/phoneNumber';
import { isBlank, quote, text, trimmedText } from '../values/text';

/** The channel of a new customer. The interface allows only this one (rule 1 for customers). */
export const channel = bodyField('channel', oneOf('chatapp'), {
	type: 'hidden',
	default: 'chatapp',
	required: true,
});

/** The phone number that identifies a customer of the chat app (rule 2 for customers). */
export const displayId = bodyField('display_id', phoneDigits, {
	displayName: 'Phone Number',
	required: true,
	placeholder: 'e.g. +49 171 1234567',
	description: 'With country code',
});

/** The name of a customer, which is also the name of its profile (rule 3 for customers). */
export const name = bodyField('name', trimmedText, {
	required: true,
	placeholder: 'e.g. Nathan Smith',
});

/** Makes one of the five custom fields that a tenant defines. */
const customField = <const Place extends 1 | 2 | 3 | 4 | 5>(place: Place) =>
	clearable(
		bodyField(`custom_${place}`, text, {
			displayName: `Custom ${place}`,
			placeholder: 'e.g. Gold',
		}),
	);

/** The writable profile fields that the interface documents. What most lists of customers have stands before what few have. */
export const profileFields = [
	clearable(bodyField('email', trimmedText, { placeholder: 'e.g. name@email.com' })),
	// Not clearable: a tenant would record a withdrawal.
	bodyField('marketing_opt_in', oneOrZero, {
		displayName: 'Marketing Consent',
		type: 'boolean',
		description: 'Whether the person agreed to marketing. Set Marketing Consent keeps the proof.',
	}),
	clearable(
		bodyField('date_of_birth', birthDate, {
			placeholder: 'e.g. 1990-05-17',
			description: 'YYYY-MM-DD, DD.MM.YYYY, or a date made by n8n',
		}),
	),
	clearable(bodyField('address', text, { placeholder: 'e.g. 1 Example Street, Berlin' })),
	customField(1),
	customField(2),
	customField(3),
	customField(4),
	customField(5),
] as const;

/** Words with single dots between them, and a domain whose parts neither begin nor end with a dash. Letters of any script. */
const ADDRESS =
	/^(?:[^\s\p{C}@,;:<>()[\]\\".]+\.)*[^\s\p{C}@,;:<>()[\]\\".]+@(?:(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)\.)+(?!-)[\p{L}\p{M}\p{N}-]+(?<!-)$/u;

/** The service skips an invalid address and does not report it. So the node checks it first. */
const emailAddress: Parse<string> = (value) => {
	const address = orUndefinedIfInvalid(trimmedText, value) ?? '';
	if (ADDRESS.test(address)) return address;
	throw new InvalidValue(
		`"${quote(value)}" is not an email address`,
		'Use one address such as name@email.com. The service would leave out any other value.',
	);
};

/** The fields of the profile that a write of the customer takes. */
export const ofProfile = profileFields.map((field) =>
	within('profile', field.target.name === 'email' ? clearable({ ...field, parse: emailAddress }) : field),
);

/** Parses titles that may be missing: without any, the result is empty, or null for a blank value. */
const optionalTitles: Parse<string | null> = (value, reading) => {
	if (isBlank(value)) return null;
	const isEmpty = typeof value === 'string' && splitList(value, reading?.separator).length === 0;
	return isEmpty ? '' : titleList(value, reading);
};

export const tags = setting(
	'additionalFields.tags',
	optionalTitles,
	{
		placeholder: 'e.g. VIP, Newsletter',
		description: 'Separated by commas. New ones are created.',
	},
	'profile.tags',
);

/** Whether a write of a customer returns its IDs. The responses of the interface do not have them. */
export const returnIds = setting('options.returnIds', boolean, {
	type: 'boolean',
	description: 'Whether to look up customer_id and profile_id',
});

/** Adds the IDs of a written customer and its profile to the items. One that cannot be found is null, and a hint says so. */
async function withIds(api: Api, digits: string, items: INodeExecutionData[]): Promise<INodeExecutionData[]> {
	return await Promise.all(
		items.map(async (made) => {
			// The response to a creation is the customer.
			const customer_id = recordId(made.json.id);
			const ids = await idsByPhone(api, digits, customer_id).catch(() => ({
				customer_id: customer_id ?? null,
				profile_id: null,
			}));
			if (Object.values(ids).includes(null)) api.note('were carried out, but not all IDs could be looked up');
			return { ...made, json: { ...made.json, ...ids } };
		}),
	);
}

/** Statuses with which services refuse a record that exists already. The interface does not show the status. */
const DUPLICATE_STATUSES = [409, 422];

/** Adds to an error of a refused creation what to do if the customer exists. */
function suggestUpsert(error: unknown): unknown {
	if (isRefusedWith(error, ...DUPLICATE_STATUSES))
		error.notes.push('If a customer has this phone number already, use Create or Update.');
	return error;
}

export const createCustomer: Run<typeof returnIds, Body<'POST /customers'>> = async (item) => {
	const { api, request } = item;
	const { content } = await api.send(request).catch((error: unknown) => Promise.reject(suggestUpsert(error)));
	const items = item.output(content);
	if (!item.get(returnIds)) return items;
	return await withIds(api, request.body.display_id ?? '', items);
};

type ImportedCustomer = Body<'POST /customers/bulk-import'>['customers'][number];

/** Imports one customer, which updates an existing customer ("Bulk import body" of the interface). */
export const importCustomer: Run<
	typeof emptyCells | typeof returnIds | typeof separator | typeof tags,
	ImportedCustomer
> = async (item) => {
	const { api, request } = item;
	const titles = item.get(tags, { separator: item.get(separator) || undefined });
	const isCleared = titles === null && item.shows(tags) && item.get(emptyCells) === 'clear';
	const profile = { ...request.body.profile, ...((titles || isCleared) && { tags: titles }) };
	const customer = { ...request.body, profile };
	const body = { duplicates: 'override', customers: [customer] };
	const { display_id } = customer;
	const { content } = await api.send({ ...request, body });
	const named = item.output(content).map((one) => ({ ...one, json: { display_id, ...one.json } }));
	return item.get(returnIds) ? await withIds(api, display_id ?? '', named) : named;
};
