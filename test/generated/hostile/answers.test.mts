import fc from 'fast-check';

import { readAnswer } from '../../../nodes/CustomerMessaging/messages/question/answerWebhook.ts';
import { approval, freeText } from '../../sendAndWait/questions.mts';
import { meetAll } from './recipes.mts';

const anyBody = fc.oneof(
	fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
	fc.dictionary(
		fc.constantFrom('answer', 'text', '__proto__'),
		fc.oneof(fc.string(), fc.anything(), fc.constantFrom('approve', 'decline')),
		{ noNullPrototype: false },
	),
);

it('gives the answer, or what was written with a problem', async () => {
	const outcomes = { data: 0, problems: 0 };
	const recipe = fc.record({ asked: fc.constantFrom(approval, freeText), body: anyBody });
	await meetAll(recipe, 20_000, async ({ asked, body }) => {
		const result = readAnswer(asked, body);
		if ('data' in result) {
			outcomes.data++;
			const [[name, value]] = Object.entries(result.data);
			expect([name, typeof value]).toEqual(asked === approval ? ['approved', 'boolean'] : ['text', 'string']);
		} else {
			outcomes.problems++;
			expect(result).toEqual({ text: expect.any(String), problem: expect.stringMatching(/^[A-Z"].*\.$/s) });
		}
	});
	expect(Math.min(outcomes.data, outcomes.problems)).toBeGreaterThan(1000);
});
