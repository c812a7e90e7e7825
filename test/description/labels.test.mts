import { nodeDescription } from '../generated/matrix/shownParameters.mts';

it('actions are a verb and a noun, without articles', async () => {
	const { properties } = await nodeDescription();
	const actions = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options.map((option) => ('action' in option ? option.action : undefined)));
	expect(actions).not.toEqual([]);
	expect(new Set(actions).size).toBe(actions.length);
	for (const action of actions) expect(action).toMatch(/^[A-Z][a-z]+(?! (?:a|an|the)\b)/);
	expect(actions.filter((action) => / (?:a|an|the) /.test(action ?? ''))).toEqual([]);
});
