import { setting } from '../runner/field';
import type { Read } from '../runner/operation';
import { column, filled, repeatedOf, rowsBy, whenConverted } from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { jsonObject, nameProblem } from '../values/json';
import { shown, text } from '../values/text';

/** Texts by the placeholder that they replace. */
type Replacements = Record<string, string>;

const placeholderName: Conversion<string> = (value) =>
	whenConverted(text(value), (name) => nameProblem(name) ?? name);

const replacement: Conversion<string> = (value) =>
	value === undefined || value === null
		? new ValueProblem(
				'is empty',
				'Check that the item has that field. An empty text removes the placeholder.',
			)
		: text(value);

const columns = [
	column(filled(placeholderName), {
		displayName: 'Placeholder',
		name: 'key',
		type: 'string',
		default: '',
		placeholder: 'e.g. %name%',
		description: 'The text to replace, with its delimiters if it has any',
	}),
	column(replacement, {
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		placeholder: 'e.g. Jo',
		description: 'The text to put in its place',
	}),
] as const;

const placeholderRows = rowsBy('placeholder', columns);

const rowReplacements: Conversion<Replacements> = (value) =>
	whenConverted(placeholderRows(value), (rows) => {
		const repeated = repeatedOf(rows.map(({ key }) => key));
		return repeated === undefined
			? Object.fromEntries(rows.map((row) => [row.key, row.value]))
			: new ValueProblem(`have "${shown(repeated)}" twice`, 'Give each placeholder one value.');
	});

const json = jsonObject('{ "%name%": "Jo" }');

const jsonReplacements: Conversion<Replacements> = (value) =>
	whenConverted(value === '' ? {} : json(value), (given) => {
		const replacements: Array<[string, string]> = [];
		for (const [name, member] of Object.entries(given)) {
			const value = replacement(member);
			if (value instanceof ValueProblem)
				return new ValueProblem(
					`has a placeholder "${shown(name)}" whose value ${value.problem}`,
					value.remedy,
				);
			replacements.push([name, value]);
		}
		return Object.fromEntries(replacements);
	});

/** Values for custom placeholders, as rows of key and value. */
export const placeholders = setting(
	'options.placeholders',
	rowReplacements,
	{
		displayName: 'Placeholders',
		name: 'placeholders',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Placeholder',
		default: {},
		description:
			'Values for custom placeholders inside the components; each is replaced exactly as it is written',
		options: [
			{
				displayName: 'Placeholder',
				name: 'placeholder',
				values: columns.map(({ parameter }) => parameter),
			},
		],
	},
	'placeholders',
);

/** Values for custom placeholders, as JSON. */
export const placeholdersJson = setting('options.placeholdersJson', jsonReplacements, {
	displayName: 'Placeholders (JSON)',
	name: 'placeholdersJson',
	type: 'json',
	default: '{}',
	description: 'Values for custom placeholders as a JSON object; a placeholder above wins over one here',
});

/**
 * Returns the placeholders of the current item from both options.
 *
 * @returns undefined when there are none
 */
export function placeholderValues(
	read: Read<typeof placeholders | typeof placeholdersJson>,
): Replacements | undefined {
	const values = { ...read(placeholdersJson), ...read(placeholders) };
	return Object.keys(values).length > 0 ? values : undefined;
}
