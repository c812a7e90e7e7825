import type { INodeParameters } from 'n8n-workflow';

import { operationsByResource } from '../../nodes/CustomerMessaging/operations/index.ts';
import type { AnyField, MemberField } from '../../nodes/CustomerMessaging/core/field.ts';
import { resolved, type Schema } from './contract.mts';
import { type FirstCase, firstCases } from './firstCases.mts';
import { ANY_IDS, type Ids } from './operationCases.mts';

/** A parameter of an operation that goes out in the query, with a value that shows what its conversion does to it. */
interface QueryField {
	/** `resource: operation`. */
	name: string;
	/** Where the operation is declared, from the root of the project. */
	file: string;
	/** Path of the endpoint, which has no places in it. */
	path: string;
	/** Name in the query. */
	member: string;
	given: INodeParameters[string];
	/** How the contract has the value in the query. */
	expected: string;
	/** The parameters of the operation's first case, with the value. */
	parameters: (ids: Ids) => INodeParameters;
}

/** A text that hardly any conversion but the right one leaves as it is. */
const TEXT = 'Web_Chat, 007';

/**
 * A value of a parameter, and how it goes out.
 *
 * @throws Error that says where to add what is missing
 */
function probeFor(
	file: string,
	{ parameter, target: { name: member } }: MemberField,
	schema: Schema | undefined,
) {
	if (!schema)
		throw new Error(`${file}: sandbox/openapi.yaml has no "${member}" in the query of this endpoint`);
	const { type, enum: choices, pattern } = resolved(schema);
	if (type === 'integer') return { given: 25, expected: '25' };
	if (type === 'string' && Array.isArray(choices)) {
		const [choice] = choices as string[];
		return { given: choice, expected: choice };
	}
	if (type === 'string' && pattern === undefined) return { given: TEXT, expected: TEXT };
	if (type === 'string' && parameter.name === 'orderBy') {
		const sort = [
			{ field: 'name', direction: 'desc' },
			{ field: 'id', direction: 'asc' },
		];
		return { given: { sort }, expected: 'name:desc,id:asc' };
	}
	throw new Error(
		`test/contract/queryFields.mts: no value for "${member}" of ${file}; say in probeFor how the contract has one`,
	);
}

const isQuery = (field: AnyField): field is MemberField<'query'> =>
	'target' in field && field.target?.place === 'query';

function fieldsOf({ resource, operation, name, endpoint }: FirstCase): QueryField[] {
	const file = `nodes/CustomerMessaging/operations/${resource}.ts`;
	const make = (field: MemberField, collection?: string): QueryField => {
		const { target, parameter } = field;
		const { name: member } = target;
		const { given, expected } = probeFor(file, field, endpoint?.query[member]);
		const value = { [parameter.name]: given } as INodeParameters;
		const parameters = (ids: Ids): INodeParameters => {
			const one = firstCases(ids).find((other) => other.name === name);
			return {
				...{ resource, operation, ...one?.parameters },
				...(collection === undefined ? value : { [collection]: value }),
			};
		};
		return { name, file, path: endpoint?.path ?? '', member, given, expected, parameters };
	};
	const { fields = [] } = operationsByResource[resource]?.[operation] ?? {};
	return fields.flatMap((field) =>
		'fields' in field
			? field.fields.filter(isQuery).map((one) => make(one, field.parameter.name))
			: isQuery(field)
				? [make(field)]
				: [],
	);
}

/** All parameters that go out in a query. */
export const queryFields = (): QueryField[] => firstCases(ANY_IDS).flatMap(fieldsOf);
