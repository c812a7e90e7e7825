import { howMany, readPages } from '../../fields/list';
import { customer } from '../../fields/locators';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const getUsers = operation('GET /customers/{id}/users', {
	fields: [pathField('id', customer), ...howMany],
	flow: readPages(),
	output: list,
});
