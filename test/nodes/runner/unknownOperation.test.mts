import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';

const odd = OddTenant.inEachTest();

it.each([
	['that does not exist', { resource: 'customer', operation: 'archive' }, 'Operation'],
	['that an expression chooses', { resource: 'customer', operation: "={{ 'bulkDelete' }}" }, 'Operation'],
	['of a resource that does not exist', { resource: 'invoice', operation: 'getAll' }, 'Resource'],
	['of a resource that an expression chooses', { resource: "={{ 'tag' }}", operation: 'getAll' }, 'Resource'],
])('an operation %s is refused, and nothing is sent', async (_, parameters, named) => {
	odd.answer(() => ({ ok: true }));
	const { error } = await runNode({ parameters, credentials: odd.credentials });
	expect(error?.message).toBe(`${named} does not exist, or cannot be chosen by an expression`);
	expect(odd.asked).toEqual([]);
});
