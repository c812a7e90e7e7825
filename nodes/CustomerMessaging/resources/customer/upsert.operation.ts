import type { Body } from '../../contract/endpoints';
import { emailAddress } from '../../customerImport/columns';
import { customerChannel } from '../../fields/channel';
import { customerName, customerPhoneNumber } from '../../fields/customer';
import { customerOptions, returnIds, withIds } from '../../fields/customerIds';
import { profileFields } from '../../fields/profileFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { bodyField, collection, within } from '../../runner/field';
import { flow } from '../../runner/operation';
import { request } from '../../transport/request';
import { titleList } from '../../values/ids';

type Import = Body<'POST /customers/bulk-import'>;
type Customer = Import['customers'][number];

const [address, custom1, custom2, custom3, custom4, custom5, dateOfBirth, email, marketingOptIn] =
	profileFields;

const checkedEmail = { ...email, convert: emailAddress };

const tags = bodyField('profile.tags', titleList, {
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	default: '',
	placeholder: 'e.g. VIP, Newsletter',
	description: 'Titles of tags, separated by commas; new ones are created',
});

/** Imports one customer, which updates an existing customer ("Bulk import body" of the interface). */
const importOne = flow<typeof returnIds, Customer>([returnIds], async (item) => {
	const { context, request: options, output } = item;
	const customer = { ...options.body, profile: options.body.profile ?? {} };
	const body = { duplicates: 'override', customers: [customer] };
	const items = output(await request(context, { ...options, body }));
	const { display_id } = customer;
	const told = items.map((one) => ({ ...one, json: { display_id, ...one.json } }));
	return await withIds(item, display_id ?? '', told);
});

export const upsert = operation('POST /customers/bulk-import', {
	fields: [
		customerChannel,
		customerPhoneNumber,
		customerName,
		collection(
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
			},
			[
				within('profile', address),
				within('profile', custom1),
				within('profile', custom2),
				within('profile', custom3),
				within('profile', custom4),
				within('profile', custom5),
				within('profile', dateOfBirth),
				within('profile', checkedEmail),
				within('profile', marketingOptIn),
				tags,
			],
		),
		customerOptions,
	],
	flow: importOne,
	output: record,
});
