import { fieldErrors, serviceMessage } from '../../../nodes/CustomerMessaging/transport/errorBody.ts';

/** Objects within each other. */
function nested(levels: number, innermost: unknown): unknown {
	let value = innermost;
	for (let level = 0; level < levels; level++) value = { errors: value, message: value };
	return value;
}

describe('an error body that is made to cost much', () => {
	// No more stands in what is read of an error body, 256 kB.
	const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, ['No']]));

	it.each<[string, unknown]>([
		['many fields', { errors: many }],
		['many messages', Array.from({ length: 200_000 }, () => ({ message: 'No' }))],
		['a list of lists', { errors: Array.from({ length: 1000 }, () => Array(1000).fill('No')) }],
		['levels', nested(50_000, 'No')],
		['a long message', { message: 'No '.repeat(5_000_000) }],
		['a long name', { errors: { ['n'.repeat(5_000_000)]: 'No' } }],
		['spaces', { message: ' '.repeat(20_000_000) }],
	])('%s: little is read of it', (_, body) => {
		// What V8 and other processes do beside it comes and goes, so the least of some readings is what it costs.
		const costs = Array.from({ length: 5 }, () => {
			const before = process.cpuUsage();
			const message = serviceMessage(body) ?? '';
			const lines = fieldErrors(body);
			const { user, system } = process.cpuUsage(before);
			expect(message.length).toBeLessThanOrEqual(20_000);
			expect(lines.length).toBeLessThanOrEqual(100);
			return (user + system) / 1000;
		});
		expect(Math.min(...costs)).toBeLessThan(50);
	});
});
