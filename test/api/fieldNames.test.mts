import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { importColumns } from '../../nodes/CustomerMessaging/customers/importFields.ts';
import { ANY_IDS, operationCases } from '../contract/operationCases.mts';
import { runNode } from '../engine/engine.mts';
import { leaksOfRun } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';
import { nameOf, nodeDescription, shownOperations } from '../description/nodeDescription.mts';

const odd = OddTenant.inEachTest();

/** What a person reads of a refusal: headline and details. */
async function refusal(parameters: INodeParameters, body: unknown, status = 422) {
	odd.answer(
		async (_request, reply) => await reply.code(status).type('application/json').send(JSON.stringify(body)),
	);
	const run = await runNode({
		parameters: { advanced: { maximumTries: 1 }, ...parameters },
		credentials: odd.credentials,
	});
	expect(leaksOfRun(run, String(odd.credentials.accessToken))).toEqual([]);
	return { message: run.error?.message, lines: run.error?.description?.split('\n') ?? [] };
}

/** Matches what stands within an entry of a list that is no row of an import: no field of the editor has its name. */
const WITHIN_LIST = /^(?!customers\.\d+\.[^\d]+$).*\.\d+\./;

/** The paths of all values in a body, as services name them. */
function pathsOf(value: unknown, path: string[] = []): string[] {
	if (typeof value !== 'object' || value === null) return [path.join('.')];
	return Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]));
}

/** The names under which a person sees a parameter and what is in it. */
const labelsOf = ({ displayName, options = [] }: INodeProperties): string[] => [
	displayName,
	...options.flatMap((option) =>
		'values' in option
			? (option as INodePropertyCollection).values.flatMap(labelsOf)
			: 'displayName' in option
				? labelsOf(option)
				: [],
	),
];

const COLUMNS = importColumns.map(({ parameter }) => parameter.displayName);

/** Parameters in which a person names the fields. */
const OWN_NAMES = /^fields|^options$|Fields$|Body$/;

const CREATE = {
	...{ resource: 'customer', operation: 'create', channel: 'chatapp' },
	...{ displayId: '+49 171 1234567', name: 'Jo' },
};

describe('a refused value', () => {
	it('is told once, by the name of its field in the editor', async () => {
		const taken = 'The display id has already been taken.';
		expect(await refusal(CREATE, { message: taken, errors: { display_id: [taken] } })).toEqual({
			message: `Phone Number: ${taken}`,
			lines: [
				'The service refused the values (HTTP 422).',
				'Correct the values named here and try again.',
				'If a customer has this phone number already, use Create or Update.',
			],
		});
	});

	it('of an import has the name of its column and the number of its row', async () => {
		const columns = { mappingMode: 'defineBelow', value: { displayId: '491711234567', name: 'Jo' } };
		const { lines } = await refusal(
			{ resource: 'customer', operation: 'bulkImport', columns } as INodeParameters,
			{ message: 'Refused.', errors: { 'customers.0.display_id': ['Taken.'] } },
		);
		expect(lines.join('\n')).toContain('Phone Number (row 2): Taken.');
	});

	it.each<[string, INodeParameters, string, string]>([
		[
			'a user',
			{ resource: 'customer', operation: 'addUsers', customerId: byId(1), userIds: [7] },
			'user_ids.1',
			'User Names or IDs (7)',
		],
		[
			'a group',
			{ resource: 'profile', operation: 'addGroups', profileId: byId(1), groupIds: [7] },
			'groups.1.id',
			'Group Names or IDs (7)',
		],
	])('of a set has the entry that the person gave, behind those attached before: %s', async (...row) => {
		const [, parameters, field, named] = row;
		odd.answer(async ({ method }, reply) =>
			method === 'GET'
				? { data: [{ id: 5 }] }
				: await reply.code(422).send({ message: 'Refused.', errors: { [field]: ['Is gone.'] } }),
		);
		const { error } = await runNode({ parameters, credentials: odd.credentials });
		expect(error?.description?.split('\n')).toContain(`${named}: Is gone.`);
	});

	it('is told for its own item only', async () => {
		odd.answer(async ({ body }, reply) =>
			JSON.stringify(body).includes('Two')
				? await reply.code(422).send({ message: 'x', errors: { title: ['Taken.'] } })
				: { id: 1 },
		);
		const { items } = await runNode({
			credentials: odd.credentials,
			parameters: { resource: 'tag', operation: 'create', title: '={{ $json.title }}' },
			items: ['One', 'Two', 'Three'].map((title) => ({ json: { title } })),
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => JSON.stringify(json).includes('Title: Taken.'))).toEqual([
			false,
			true,
			false,
		]);
	});

	it('has its name in every operation', async () => {
		const shown = new Map(
			shownOperations(await nodeDescription()).map((one) => [nameOf(one), one.properties.flatMap(labelsOf)]),
		);
		const nameless: string[] = [];
		let named = 0;
		for (const { resource, operation, parameters, items, composed } of operationCases(ANY_IDS)) {
			if (composed) continue;
			let paths: string[] = [];
			odd.answer(async (request, reply) => {
				if (request.method === 'GET') return { data: [] };
				const { body } = request;
				const isForm = Buffer.isBuffer(body) && body.length > 0;
				if (isForm) paths = ['type', 'file', 'public'];
				else
					paths = Buffer.isBuffer(body)
						? []
						: pathsOf(body).filter((path) => path !== '' && !WITHIN_LIST.test(path));
				const errors = Object.fromEntries(paths.map((path) => [path, ['Odd.']]));
				return await reply.code(422).send({ message: 'Refused.', errors });
			});
			const run = await runNode({
				parameters: { resource, operation, ...parameters },
				...(items && { items }),
				credentials: odd.credentials,
			});
			// What a person gives by name has that name.
			const given = JSON.stringify(Object.entries(parameters).filter(([name]) => OWN_NAMES.test(name)));
			const labels = [...(shown.get(`${resource}: ${operation}`) ?? []), ...COLUMNS];
			const lines = run.error?.description?.split('\n').filter((line) => line.endsWith(': Odd.')) ?? [];
			expect(lines.length > 0 || paths.length === 0).toBe(true);
			for (const line of lines) {
				const name = line
					.replace(/^Items .*?: (?=\w.*: Odd)/, '')
					.replace(/( \((?:(?:entry|row) )?\d+\))?: Odd\.$/, '');
				const own = name.split('.').at(-1);
				if (labels.includes(name)) named++;
				else if (!new RegExp(`\\W${own}\\W`).test(given)) nameless.push(`${resource}: ${operation} ${name}`);
			}
		}
		expect(nameless).toEqual([]);
		expect(named).toBeGreaterThan(80);
	});
});

describe('a customer who exists already', () => {
	const suggestion = 'If a customer has this phone number already, use Create or Update.';
	const user: INodeParameters = {
		...{ resource: 'user', operation: 'create', name: 'Jo', email: 'jo@mail.example', isAdmin: false },
	};

	it.each<[string, number, unknown]>([
		[
			'a taken number',
			422,
			{ message: 'x', errors: { display_id: ['The display id has already been taken.'] } },
		],
		['an ID that must be unique', 422, { errors: [{ detail: 'must be unique', pointer: '#/display_id' }] }],
		['a conflict', 409, { message: 'Customer exists' }],
		['a conflict without words', 409, ''],
	])('has Create or Update suggested: told as %s', async (_name, status, body) => {
		expect((await refusal(CREATE, body, status)).lines).toContain(suggestion);
	});

	it.each<[string, INodeParameters, number]>([
		['400', CREATE, 400],
		['403', CREATE, 403],
		['500', CREATE, 500],
		['another operation', user, 422],
	])('is not supposed after %s', async (_name, parameters, status) => {
		const { message, lines } = await refusal(parameters, { message: 'No.' }, status);
		expect(message).toBe('No.');
		expect(lines).not.toContain(suggestion);
	});
});
