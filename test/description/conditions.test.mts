import { nodeDescription } from './nodeDescription.mts';

/** Whether a condition looks at what people enter, and not at what they choose. */
const isEntered = (values: unknown[] = []) => values.some((value) => typeof value === 'object');

// n8n counts a condition on a parameter that an expression gives as met, and looks no further. With an expression as
// Resource, it would ask for the fields of all operations, unless their choices come first.
it('conditions on choices come before resource and operation, and those on what people enter after them', async () => {
	const { properties } = await nodeDescription();
	const shown = properties.flatMap(({ name, displayOptions }) => {
		const show = Object.entries(displayOptions?.show ?? {});
		const at = show.findIndex(([key]) => key === 'resource');
		return show
			.filter(([key]) => key !== 'resource' && key !== 'operation' && name !== 'operation')
			.map(([key, values]) => ({
				name,
				key,
				isRight: isEntered(values) === show.findIndex(([one]) => one === key) > at,
			}));
	});
	expect(shown.filter(({ isRight }) => !isRight)).toEqual([]);
	expect(new Set(shown.map(({ key }) => key))).toContain('templateName');
});
