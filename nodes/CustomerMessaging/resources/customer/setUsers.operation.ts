import type { Body } from '../../contract/endpoints';
import { plainWrite } from '../../fields/changeSet';
import { customer } from '../../fields/locators';
import { usersOfCustomer } from '../../fields/sets';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const setUsers = operation('POST /customers/{id}/users', {
	fields: [pathField('id', customer), usersOfCustomer],
	flow: plainWrite<Body<'POST /customers/{id}/users'>>(),
	output: setOf('customer_id', 'users'),
});
