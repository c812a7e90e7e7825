import fc from 'fast-check';

import { answerOf, writtenIn } from '../../../nodes/CustomerMessaging/messages/question/question.ts';
import { approval, choice, freeText } from '../../sendAndWait/questions.mts';
import { meetAll } from './recipes.mts';

const anyBody = fc.oneof(
	fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
	fc.dictionary(
		fc.constantFrom('answer', 'text', '__proto__'),
		fc.oneof(fc.string(), fc.anything(), fc.constantFrom('approve', 'decline', '1')),
		{ noNullPrototype: false },
	),
);

const KINDS = {
	approval: ['approved', 'boolean'],
	choice: ['choice', 'string'],
	freeText: ['text', 'string'],
};

it('gives the answer, or none', async () => {
	const outcomes = { data: 0, problems: 0 };
	const recipe = fc.record({ asked: fc.constantFrom(approval, choice, freeText), body: anyBody });
	await meetAll(recipe, 20_000, async ({ asked, body }) => {
		const answer = answerOf(asked, writtenIn(body));
		outcomes[answer ? 'data' : 'problems']++;
		if (!answer) return;
		const [[name, value]] = Object.entries(answer);
		expect([name, typeof value]).toEqual(KINDS[asked.responseType]);
	});
	expect(Math.min(outcomes.data, outcomes.problems)).toBeGreaterThan(1000);
});
