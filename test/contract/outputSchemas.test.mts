import { committedSchemas, outputSchemas } from '../../scripts/outputSchemas.mts';

it('the committed output schemas are those that the contract gives (npm run schemas writes them)', async () => {
	const expected = outputSchemas();
	expect(expected.size).toBeGreaterThan(70);
	expect(Object.fromEntries(await committedSchemas())).toEqual(Object.fromEntries(expected));
});
