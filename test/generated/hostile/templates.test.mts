import fc from 'fast-check';

import {
	placeholderReplacer,
	RenderedTemplate,
} from '../../../nodes/CustomerMessaging/messaging/preview/templateRendering.ts';
import { formVariables } from '../../../nodes/CustomerMessaging/messaging/template/formVariables.ts';
import { bodySlot, slotName } from '../../../nodes/CustomerMessaging/messaging/template/slots.ts';
import {
	templateLanguage,
	templateName,
	templateParts,
	TooManyParts,
} from '../../../nodes/CustomerMessaging/messaging/template/templateRecord.ts';
import { AMOUNT } from '../amount.mts';
import { CountedVisits } from './countedVisits.mts';
import { manyPlaces, meetAll, names, sizes, textOf, type TextRecipe, texts } from './recipes.mts';

/** At most so many members of a template are looked at: those of its parts, and a few for each. */
const MAX_VISITS = 60_000;

type Record = { [name: string]: unknown };

interface PartRecipe {
	type: string;
	format: string;
	text: TextRecipe | number;
	/** Number of buttons, each with the text. */
	buttons: number;
	name: string;
}

interface TemplateRecipe {
	parts: PartRecipe[];
	/** How often the parts stand in the template. */
	times: number;
	holder: string;
	isJson: boolean;
	name: TextRecipe;
	nesting: number;
}

const parts: fc.Arbitrary<PartRecipe> = fc.record({
	type: fc.constantFrom('HEADER', 'BODY', 'BUTTONS', 'BUTTON', 'CAROUSEL', 'FOOTER', '', 'x'.repeat(100_000)),
	format: fc.constantFrom('TEXT', 'IMAGE', 'DOCUMENT', 'LOCATION', '', 'y'.repeat(100_000)),
	text: fc.oneof({ weight: 3, arbitrary: texts(500_000) }, { weight: 1, arbitrary: sizes(16_000) }),
	buttons: sizes(5000),
	name: names,
});

const templates: fc.Arbitrary<TemplateRecipe> = fc.record({
	parts: fc.array(parts, { minLength: 1, maxLength: 6 }),
	times: sizes(1000),
	holder: fc.constantFrom('components', 'content', 'structure', 'template_components', 'elements', 'deep'),
	isJson: fc.boolean(),
	name: texts(100_000),
	nesting: sizes(5000),
});

function partOf({ type, format, text, buttons, name }: PartRecipe): Record {
	const given = typeof text === 'number' ? manyPlaces(text) : textOf(text);
	const types = ['URL', 'QUICK_REPLY', 'COPY_CODE', 'FLOW', 'OTHER'];
	const list = Array.from({ length: type.startsWith('BUTTONS') ? buttons : 1 }, (_, index) => ({
		type: types[index % types.length],
		text: given,
		url: given,
	}));
	return {
		type,
		format,
		text: given,
		sub_type: 'url',
		url: given,
		buttons: list,
		cards: list,
		...Object.fromEntries([[name, given]]),
		type_: type,
	};
}

function templateOf({ parts: recipes, times, holder, isJson, name, nesting }: TemplateRecipe): Record {
	const made = recipes.map(partOf);
	const list = Array.from({ length: made.length * times }, (_, index) => made[index % made.length]);
	// n8n has read no more than 64 MB for the template.
	const json = () => JSON.stringify(made).repeat(isJson ? 1 : 0);
	const deep = `${'['.repeat(nesting)}${']'.repeat(nesting)}`;
	const components = holder === 'deep' ? deep : isJson ? json() : list;
	return {
		name: textOf(name),
		language: { code: textOf(name) },
		...(holder === 'content' ? { content: { components } } : { [holder]: components }),
		structure: deep,
	};
}

it(`${AMOUNT} templates made to wear the editor out are read with few looks at their members`, async () => {
	let tooMany = 0;
	let filled = 0;
	await meetAll(templates, AMOUNT, (recipe) => {
		const template = templateOf(recipe);
		const read = (record: Record) => {
			try {
				return formVariables(record);
			} catch (error) {
				if (error instanceof TooManyParts) return error.message;
				throw error;
			}
		};
		templateName(template);
		templateLanguage(template);
		const found = read(template);
		if (typeof found === 'string') tooMany++;
		else if (found) {
			if (found.length > 0) filled++;
			expect(found.length).toBeLessThanOrEqual(500);
			expect(Math.max(0, ...found.map(({ label }) => label.length))).toBeLessThan(600);
			expect(new Set(found.map(({ slot }) => slotName(slot))).size).toBe(found.length);
		}
		const visits = new CountedVisits();
		expect(read(visits.view(template))).toEqual(found);
		expect(visits.count).toBeLessThan(MAX_VISITS);
	});
	// Otherwise the cases would show nothing.
	expect({ tooMany: tooMany > AMOUNT / 10, filled: filled > AMOUNT / 10 }).toEqual({
		tooMany: true,
		filled: true,
	});
});

it.each([1024, 32_000])('a template of %i characters with 100 variables has a form', (length) => {
	const text = `${manyPlaces(100)} ${'Hello. '.repeat(length / 7)}`.slice(0, length);
	const variables = formVariables({ components: [{ type: 'BODY', text }] });
	expect(variables?.map(({ slot }) => slotName(slot))).toEqual(
		Array.from({ length: 100 }, (_, index) => `body_${index}`),
	);
});

/** Values for a preview: how many, how long, and how many placeholders are looked for in each. */
const values = fc.record({ count: sizes(1000), text: texts(500_000), placeholders: sizes(30_000) });

it(`${AMOUNT} templates with values made to wear a preview out are read with few looks at their members`, async () => {
	let tooMany = 0;
	let shown = 0;
	await meetAll(fc.tuple(templates, values), AMOUNT, ([recipe, { count, text, placeholders }]) => {
		const template = templateOf(recipe);
		const value = textOf(text);
		const given = Array.from({ length: count }, (_, index) => ({ slot: bodySlot(`${index}`), value }));
		const replacements = Object.fromEntries(
			Array.from({ length: placeholders }, (_, index) => [`${index}`, `${index + 1}${index + 1}`]),
		);
		const preview = (record: Record) => {
			try {
				const replaced = placeholderReplacer(replacements);
				const filled = given.map(({ slot, value: one }) => ({ slot, value: replaced(one) }));
				return new RenderedTemplate(templateParts(record) ?? [], filled);
			} catch (error) {
				if (error instanceof TooManyParts) return error.message;
				throw error;
			}
		};
		const made = preview(template);
		const visits = new CountedVisits();
		expect(preview(visits.view(template))).toEqual(made);
		expect(visits.count).toBeLessThan(MAX_VISITS);
		if (typeof made === 'string') tooMany++;
		else {
			if (made.body) shown++;
			expect(made.body?.length ?? 0).toBeLessThan(200_000);
			expect(made.missing.size).toBeLessThanOrEqual(500);
		}
	});
	// Otherwise the cases would show nothing.
	expect({ tooMany: tooMany > AMOUNT / 10, shown: shown > AMOUNT / 20 }).toEqual({
		tooMany: true,
		shown: true,
	});
});
