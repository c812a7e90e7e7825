import { changeUsers, union } from '../../fields/changeSet';
import { customer } from '../../fields/locators';
import { usersOfCustomer } from '../../fields/sets';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const addUsers = operation('POST /customers/{id}/users', {
	fields: [pathField('id', customer), usersOfCustomer],
	flow: changeUsers(union),
	output: setOf('customer_id', 'users'),
});
