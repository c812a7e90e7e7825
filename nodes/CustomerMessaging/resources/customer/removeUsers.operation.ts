import { changeUsers, without } from '../../fields/changeSet';
import { customer } from '../../fields/locators';
import { usersOfCustomer } from '../../fields/sets';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const removeUsers = operation('POST /customers/{id}/users', {
	fields: [pathField('id', customer), usersOfCustomer],
	flow: changeUsers(without),
	output: setOf('customer_id', 'users'),
});
