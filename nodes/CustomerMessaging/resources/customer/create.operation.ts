import { customerChannel } from '../../fields/channel';
import { customerName, customerPhoneNumber } from '../../fields/customer';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const create = operation('POST /customers', {
	fields: [customerChannel, customerPhoneNumber, customerName],
	output: record,
});
