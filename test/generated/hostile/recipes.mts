import fc from 'fast-check';

/** Each run makes the same things, unless told otherwise. */
const SEED = Number(process.env.FC_SEED || 20_240_917);

/** A text that is as long as it is told to be, made of something that parsers and patterns may stumble over. */
export interface TextRecipe {
	unit: string;
	length: number;
	end: string;
}

/** Pieces of braces, brackets, quotes, numbers and characters beyond the usual ones. */
const UNITS = [
	'{{1}}',
	'{{ 1 }} ',
	'{{',
	'}}',
	'{{{{1}}}}',
	'{{1}} {{2}}',
	'{{a{{b}}c}}',
	'{{ ',
	' ',
	'\n',
	'\t\n ',
	'9',
	'{{99999999999999999999}}',
	'a',
	'A.b! ',
	'é',
	'😀',
	'\u0301',
	'\ud83d',
	'\u202e',
	'\\',
	'"',
	"'",
	'* _~',
	' *a',
	'(0)',
	'=',
	'&#',
	': ',
	'- ',
	'#',
	'*',
	'/',
	'[',
	'{"a":',
];

/** A size between 1 and `most`: each order of magnitude is as likely as another. */
export const sizes = (most: number) =>
	fc.double({ min: 0, max: Math.log(most), noNaN: true }).map((power) => Math.ceil(Math.exp(power)));

export const texts = (most: number): fc.Arbitrary<TextRecipe> =>
	fc.record({
		unit: fc.constantFrom(...UNITS),
		length: sizes(most),
		end: fc.constantFrom('', 'x', '}}', '{{2}}', '"'),
	});

export function textOf({ unit, length, end }: TextRecipe): string {
	return unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end;
}

/**
 * Runs a check with many generated recipes. What fails is shown with its recipe, as it was found.
 *
 * @param check throws when something is wrong with a recipe
 */
export async function meetAll<Recipe>(
	recipes: fc.Arbitrary<Recipe>,
	amount: number,
	check: (recipe: Recipe) => Promise<void> | void,
): Promise<void> {
	await fc.assert(
		fc.asyncProperty(recipes, async (recipe) => await check(recipe)),
		{ seed: SEED, numRuns: amount, endOnFailure: true },
	);
}
