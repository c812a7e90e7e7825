import { replaceUsers } from '../../fields/changeSet';
import { customer } from '../../fields/locators';
import { usersOfCustomer } from '../../fields/sets';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { ifEmpty } from '../../runner/emptySet';
import { pathField } from '../../runner/field';

export const setUsers = operation('POST /customers/{id}/users', {
	fields: [pathField('id', customer), usersOfCustomer, ifEmpty],
	flow: replaceUsers,
	output: setOf('customer_id', 'users'),
});
