import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { customerChannel } from '../../shared/channel';
import { customerName, phoneNumber } from '../../shared/customer';
import { recordPostReceive } from '../../shared/outputs';
import { phoneDigits } from '../../shared/phoneNumber';
import { plainProfileFields, profileOf } from '../../shared/profileFields';
import { converted } from '../../shared/values';
import { request } from '../../transport/request';
import { received, sendWith } from '../../transport/send';

/** Imports one customer, so that an existing one is updated ("Bulk import body" of the interface). */
const upsert = sendWith(async function (options, requestData) {
	const profile = profileOf(
		this.getNodeParameter('additionalFields', {}) as IDataObject,
		(label, conversion, value) => converted(this, label, conversion, value),
	);
	const customer = {
		channel: this.getNodeParameter('channel') as string,
		display_id: converted(this, 'Phone Number', phoneDigits, this.getNodeParameter('displayId')) as string,
		name: this.getNodeParameter('name') as string,
		profile,
	};
	const response = await request(this, {
		...options,
		body: { duplicates: 'override', customers: [customer] },
	});
	const items = await received(this, requestData, response);
	return items.map((item) => ({ ...item, json: { display_id: customer.display_id, ...item.json } }));
});

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/customers/bulk-import' },
	output: { postReceive: [recordPostReceive] },
	operations: { pagination: upsert },
};

const properties: INodeProperties[] = [
	customerChannel,
	phoneNumber,
	customerName,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			...plainProfileFields,
			{
				displayName: 'Tags',
				name: 'tags',
				type: 'string',
				default: '',
				placeholder: 'e.g. VIP, Newsletter',
				description: 'Titles of tags, separated by commas; a title that does not exist yet becomes a new tag',
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['upsert'] } },
	properties,
);
