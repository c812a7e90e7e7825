import { setting } from '../../runner/field';
import { filled, repeatedOf, rowsBy, rowsWith, whenConverted } from '../../values/columns';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { nameProblem } from '../../values/json';
import { shown, text } from '../../values/text';
import { textColumn } from './variableFields';

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
	textColumn('key', filled(placeholderName), {
		displayName: 'Placeholder',
		placeholder: 'e.g. %name%',
		description: 'The text to replace, with its delimiters if it has any',
	}),
	textColumn('value', replacement, {
		displayName: 'Value',
		placeholder: 'e.g. Jo',
		description: 'The text to put in its place',
	}),
] as const;

const placeholderRows = rowsBy('placeholder', columns);

/** Converts the rows; undefined if there are none. */
const replacements: Conversion<Replacements | undefined> = (value) =>
	whenConverted(placeholderRows(value), (rows) => {
		if (rows.length === 0) return undefined;
		const repeated = repeatedOf(rows.map(({ key }) => key));
		return repeated === undefined
			? Object.fromEntries(rows.map((row) => [row.key, row.value]))
			: new ValueProblem(`have "${shown(repeated)}" twice`, 'Give each placeholder one value.');
	});

/** Values for custom placeholders inside the components. */
export const placeholders = setting(
	'options.placeholders',
	replacements,
	{
		displayName: 'Placeholders',
		name: 'placeholders',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Placeholder',
		default: {},
		description:
			'Values for custom placeholders inside the components; each is replaced exactly as it is written',
		options: rowsWith('Placeholder', 'placeholder', columns),
	},
	'placeholders',
);
