import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { importColumns } from '../../../nodes/CustomerMessaging/customerImport/columns.ts';
import { ANY_IDS, operationCases } from '../../contract/operationCases.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { runNode } from '../../engine/engine.mts';
import { TestTenant } from '../../engine/tenant.mts';
import { nameOf, nodeDescription, shownOperations } from '../../matrix/shownParameters.mts';

const tenant = TestTenant.inEachTest();
const odd = OddTenant.inEachTest();

/** What an odd tenant's refusal reads like for an operation. */
async function refusal(parameters: IDataObject, body: unknown, status = 422) {
	odd.answer(async (_request, reply) => await reply.code(status).send(body));
	const { error } = await runNode({ parameters: parameters as never, credentials: odd.credentials });
	return { message: error?.message, lines: error?.description?.split('\n') };
}

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

const COLUMNS = importColumns.map(({ displayName }) => displayName);

/** Parameters in which a person names the fields. */
const OWN_NAMES = /^fields|Fields$|Body$/;

const CREATE = { resource: 'customer', operation: 'create', displayId: '+49 171 1234567', name: 'Jo' };

describe('a refused value', () => {
	it('is told once, by the name of its field in the editor', async () => {
		await tenant.run(CREATE);
		const { error } = await tenant.run(CREATE);
		expect(error?.message).toBe('Phone Number: The display id has already been taken.');
		expect(error?.description?.split('\n')).toEqual([
			'The service refused the values (HTTP 422).',
			'Correct the values named here and try again.',
			'If a customer has this phone number already, use Create or Update.',
		]);
	});

	it('is told once where the message counts the others', async () => {
		const errors = { name: ['The name is required.'], display_id: ['The display id is required.'] };
		expect(
			await refusal(CREATE, { message: 'The name is required. (and 1 more error)', errors }),
		).toMatchObject({
			message: 'Name: The name is required.',
			lines: [
				'The service refused the values (HTTP 422).',
				'Phone Number: The display id is required.',
				...[expect.any(String), expect.any(String)],
			],
		});
	});

	it('stands below a message of its own', async () => {
		expect(await refusal(CREATE, { message: 'No such customer.', errors: { name: ['No'] } })).toMatchObject({
			message: 'No such customer.',
			lines: [
				'The service refused the values (HTTP 422).',
				'Name: No',
				expect.any(String),
				expect.any(String),
			],
		});
	});

	it.each([
		['a list of errors', [{ field: 'display_id', message: 'Taken.' }]],
		['a JSON pointer', [{ path: '/data/display_id', message: 'Taken.' }]],
		['another case', { displayId: 'Taken.' }],
	])('has its name in %s', async (_, errors) => {
		expect((await refusal(CREATE, { message: 'Refused.', errors })).lines).toContain('Phone Number: Taken.');
	});

	it('keeps the name of a field that the editor does not show', async () => {
		const { lines } = await refusal(CREATE, { message: 'Refused.', errors: { shoe_size: ['Odd.'] } });
		expect(lines).toContain('shoe_size: Odd.');
	});

	it('has the label of a field that the tenant describes', async () => {
		const tenantFields = {
			mappingMode: 'defineBelow',
			value: { shoe_size: '46' },
			schema: [{ id: 'shoe_size', displayName: 'Shoe Size (EU)', type: 'string' }],
		};
		const { message } = await refusal(
			{ resource: 'tag', operation: 'create', title: 'Fresh', tenantFields },
			{ message: 'Too large.', errors: { shoe_size: ['Too large.'] } },
		);
		expect(message).toBe('Shoe Size (EU): Too large.');
	});

	it('of an import has the name of its column and the place of its row', async () => {
		const { lines } = await refusal(
			{
				resource: 'customer',
				operation: 'bulkImport',
				columns: { mappingMode: 'defineBelow', value: { displayId: '491711234567', name: 'Jo' } },
			},
			{ message: 'Refused.', errors: { 'customers.0.display_id': ['Taken.'] } },
		);
		expect(lines?.join('\n')).toContain('Phone Number (entry 1): Taken.');
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
				else paths = Buffer.isBuffer(body) ? [] : pathsOf(body).filter((path) => path !== '');
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
				const name = line.replace(/^Items .*?: (?=\w.*: Odd)/, '').replace(/( \(entry \d+\))?: Odd\.$/, '');
				const own = name.split('.').at(-1);
				if (labels.includes(name)) named++;
				else if (!new RegExp(`\\W${own}\\W`).test(given)) nameless.push(`${resource}: ${operation} ${name}`);
			}
		}
		expect(nameless).toEqual([]);
		expect(named).toBeGreaterThan(80);
	});
});

describe('a customer that exists already', () => {
	const suggestion = 'If a customer has this phone number already, use Create or Update.';

	it.each([409, 422])('has Create or Update suggested after %d', async (status) => {
		expect((await refusal(CREATE, { message: 'Exists.' }, status)).lines).toContain(suggestion);
	});

	it.each([400, 403, 500])('has nothing suggested after %d, which means something else', async (status) => {
		const { message, lines } = await refusal(
			{ ...CREATE, requestLimits: { maximumTries: 1 } },
			{ message: 'No.' },
			status,
		);
		expect(message).toBe('No.');
		expect(lines).not.toContain(suggestion);
	});
});
