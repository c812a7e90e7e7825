import fc from 'fast-check';

import { readAnswer } from '../../../nodes/CustomerMessaging/sendAndWait/formAnswer.ts';
import type { FormField, Question } from '../../../nodes/CustomerMessaging/sendAndWait/question.ts';
import { approval } from '../../sendAndWait/questions.mts';
import { meetAll } from './recipes.mts';

const anyField = fc.record({
	name: fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')),
	label: fc.string(),
	type: fc.constantFrom<FormField['type']>('text', 'number', 'date', 'choice'),
	choices: fc.array(fc.string()),
	isRequired: fc.boolean(),
});
const anyQuestion = fc.record({
	responseType: fc.constantFrom<Question['responseType']>('approval', 'freeText', 'customForm'),
	fields: fc.uniqueArray(anyField, { selector: ({ name }) => name, maxLength: 4 }),
});
const anyBody = fc.oneof(
	fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
	fc.dictionary(
		fc.constantFrom('answer', 'field-0', 'field-1', 'field-2', 'field-3', '__proto__'),
		fc.oneof(
			fc.string(),
			fc.anything(),
			fc.constantFrom('approve', 'decline', '1,5', '1.500', '2030-02-30', '2030-02-28'),
		),
		{ noNullPrototype: false },
	),
);

it('gives all members of the answer, or problems of its controls', async () => {
	const outcomes = { data: 0, problems: 0 };
	await meetAll(fc.record({ question: anyQuestion, body: anyBody }), 20_000, async ({ question, body }) => {
		const asked = { ...approval, ...question };
		const members =
			asked.responseType === 'approval'
				? ['approved']
				: asked.responseType === 'freeText'
					? ['text']
					: asked.fields.map(({ name }) => name);
		const result = readAnswer(asked, body);
		if ('data' in result) {
			outcomes.data++;
			expect(Object.keys(result.data).sort()).toEqual([...members].sort());
			for (const value of Object.values(result.data)) {
				expect(value === null || ['string', 'number', 'boolean'].includes(typeof value)).toBe(true);
			}
		} else {
			outcomes.problems++;
			const controls =
				asked.responseType === 'customForm' ? members.map((_, index) => `field-${index}`) : ['answer'];
			expect(controls).toEqual(expect.arrayContaining(Object.keys(result.problems)));
			expect(controls).toEqual(expect.arrayContaining(Object.keys(result.values)));
			for (const sentence of Object.values(result.problems)) expect(sentence).toMatch(/^[A-Z"].*\.$/s);
		}
	});
	expect(Math.min(outcomes.data, outcomes.problems)).toBeGreaterThan(1000);
});
