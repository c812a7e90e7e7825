import { committedSchemas, outputSchemas } from '../../scripts/outputSchemas.mts';
import { expectNone } from '../engine/expectNone.mts';

it('the committed output schemas are those that the contract gives', async () => {
	const [expected, committed] = [outputSchemas(), await committedSchemas()];
	expect(expected.size).toBeGreaterThan(70);
	const files = [...new Set([...expected.keys(), ...committed.keys()])];
	expectNone(
		files
			.filter((file) => committed.get(file) !== expected.get(file))
			.map(
				(file) =>
					`nodes/CustomerMessaging/__schema__/${file}: not what the contract gives; run npm run schemas`,
			),
	);
});
