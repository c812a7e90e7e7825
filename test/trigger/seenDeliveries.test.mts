import { SeenDeliveries } from '../../nodes/CustomerMessaging/trigger/deliveries.ts';

const keysOf = (seen: SeenDeliveries) => [...seen.keys()];

it('a conversation may take what nobody else needs', () => {
	const seen = new SeenDeliveries(100);
	for (let id = 0; id < 150; id++) seen.add(`key ${id}`, { second: 1, conversation: 'one' });
	expect(keysOf(seen)).toEqual(Array.from({ length: 100 }, (_, index) => `key ${index + 50}`));
});

it('a flood gives way to other conversations, the oldest first', () => {
	const seen = new SeenDeliveries(100);
	for (let id = 0; id < 100; id++) seen.add(`flood ${id}`, { second: 1, conversation: 'flood' });
	for (let id = 0; id < 50; id++) seen.add(`other ${id}`, { second: 1, conversation: `other ${id}` });
	for (let id = 100; id < 200; id++) seen.add(`flood ${id}`, { second: 1, conversation: 'flood' });
	const kept = keysOf(seen);
	expect(kept).toHaveLength(100);
	expect(kept.filter((key) => key.startsWith('other'))).toHaveLength(50);
});

it('a tenth is what a conversation may hold before it replaces only its own', () => {
	const fill = (own: number) => {
		const seen = new SeenDeliveries(100);
		seen.add('oldest', { second: 1, conversation: 'another' });
		for (let id = 0; id < own; id++) seen.add(`own ${id}`, { second: 1, conversation: 'own' });
		for (let id = own + 1; id < 100; id++)
			seen.add(`other ${id}`, { second: 1, conversation: `other ${id}` });
		seen.add('one more', { second: 1, conversation: 'own' });
		return keysOf(seen)[0];
	};
	expect([fill(9), fill(10)]).toEqual(['own 0', 'oldest']);
});

it('what is deleted gives its place back, and what is older goes first', () => {
	const seen = new SeenDeliveries(2);
	seen.add('a', { second: 1, conversation: 'one' });
	seen.add('b', { second: 2, conversation: 'one' });
	seen.delete('a');
	seen.add('c', { second: 3, conversation: 'one' });
	expect([...seen].map(([key, { second }]) => [key, second])).toEqual([
		['b', 2],
		['c', 3],
	]);
	seen.deleteBefore(3);
	expect(keysOf(seen)).toEqual(['c']);
	expect(seen.get('c')).toEqual({ second: 3, conversation: 'one' });
	expect(seen.get('b')).toBeUndefined();
});

it('nothing is left of the conversations whose deliveries are forgotten', () => {
	const seen = new SeenDeliveries(10);
	const { conversations } = seen as unknown as { conversations: ReadonlyMap<string, unknown> };
	for (let id = 0; id < 50; id++) seen.add(`key ${id}`, { second: id, conversation: `conversation ${id}` });
	expect([...conversations.keys()]).toEqual(keysOf(seen).map((key) => key.replace('key', 'conversation')));
	seen.delete('key 45');
	expect(conversations.size).toBe(9);
	seen.deleteBefore(50);
	expect(conversations.size).toBe(0);
});
