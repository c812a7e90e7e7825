import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { CONTRACT_FILE } from '../../sandbox/contract.mts';
import { allOperations } from '../../sandbox/resources/index.mts';
import type { Tag } from '../../sandbox/resources/tag.mts';
import { expectNone } from '../engine/expectNone.mts';
import { operations, wrongExamples } from './contract.mts';
import { useTenant } from './tenant.mts';

describe('the contract', () => {
	test('it is valid OpenAPI 3.1, says a standard validator', async () => {
		const validator = new Validator();
		const { valid, errors } = await validator.validate(CONTRACT_FILE);
		expect(errors ?? []).toEqual([]);
		expect([valid, validator.version]).toEqual([true, '3.1']);
	});

	test('each of its operations has its own name and its own handler, and no handler is without one', () => {
		const named = [...readFileSync(CONTRACT_FILE, 'utf8').matchAll(/^ +operationId: (\w+)$/gm)].map(
			([, name]) => name,
		);
		expect(new Set(named).size).toBe(named.length);
		expect(operations().map(({ operationId }) => operationId)).toEqual(named);
		expectNone([
			...operations()
				.filter(({ operationId }) => !(operationId in allOperations))
				.map(
					({ operationId, tags: [resource] }) =>
						`sandbox/resources/${resource}.mts: no operation for "${operationId}" of openapi.yaml; write one there, and name a new file in sandbox/resources/index.mts`,
				),
			...Object.keys(allOperations)
				.filter((name) => !named.includes(name))
				.map((name) => `sandbox/openapi.yaml: no endpoint for the operation "${name}" of sandbox/resources`),
		]);
	});

	test('its examples are values that it allows', () => {
		expectNone(wrongExamples().map((wrong) => `sandbox/openapi.yaml: no fitting example: ${wrong}`));
	});
});

describe('the sandbox and the contract cannot drift apart', () => {
	const tenant = useTenant();

	test('an answer that does not fit the contract becomes an error of the sandbox itself', async () => {
		const list = jest.spyOn(tenant.store.tags, 'list').mockReturnValueOnce([{ title: 'without id' } as Tag]);
		const answer = await tenant.ask('GET', '/tags');
		expect(list).toHaveBeenCalled();
		expect(answer).toMatchObject({
			status: 500,
			body: { message: expect.stringContaining('The sandbox broke its own contract') },
		});
	});
});
