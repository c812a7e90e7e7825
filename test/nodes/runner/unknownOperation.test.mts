import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';

const odd = OddTenant.inEachTest();

it.each([
	['that does not exist', { resource: 'customer', operation: 'archive' }, false],
	['that an expression chooses', { resource: 'customer', operation: "={{ 'bulkDelete' }}" }, false],
	['of a resource that does not exist', { resource: 'invoice', operation: 'getAll' }, false],
])('an operation %s is refused, and nothing is sent', async (_, parameters, byRoutingEngine) => {
	odd.answer(() => ({ ok: true }));
	const { error } = await runNode({ parameters, credentials: odd.credentials, byRoutingEngine });
	expect(error?.message).toBe('Operation does not exist, or cannot be chosen by an expression');
	expect(odd.asked).toEqual([]);
});
