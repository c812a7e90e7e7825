import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { customerChannel } from '../../shared/channel';
import { recordPostReceive } from '../../shared/outputs';
import { phoneDigits } from '../../shared/phoneNumber';
import { convertBody } from '../../shared/values';
import { customerName, phoneNumber } from '../../shared/customer';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/customers' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	{ ...customerChannel, routing: { send: { type: 'body', property: 'channel' } } },
	{
		...phoneNumber,
		routing: {
			send: {
				type: 'body',
				property: 'display_id',
				preSend: [convertBody('display_id', 'Phone Number', phoneDigits)],
			},
		},
	},
	{ ...customerName, routing: { send: { type: 'body', property: 'name' } } },
];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['create'] } },
	properties,
);
