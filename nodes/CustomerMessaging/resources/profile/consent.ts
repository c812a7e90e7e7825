import { bodyField } from '../../runner/field';
import { boolean } from '../../values/choices';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { shown } from '../../values/text';

const WORDS: Record<string, boolean> = { given: true, withdrawn: false };

/** Converts *Given*, *Withdrawn*, and what else stands for yes and no. */
const consent: Conversion<boolean> = (value) => {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
	const given = Object.hasOwn(WORDS, word) ? WORDS[word] : boolean(value);
	return given instanceof ValueProblem
		? new ValueProblem(
				`"${shown(value)}" does not tell whether the consent is given`,
				'Enter true for Given or false for Withdrawn.',
			)
		: given;
};

const decisions = [
	{ name: 'Given', value: true, description: 'The person agrees to marketing messages' },
	{ name: 'Withdrawn', value: false, description: 'The person no longer agrees to marketing messages' },
];

export const optIn = bodyField('opt_in', consent, {
	displayName: 'Marketing Consent',
	type: 'options',
	options: decisions,
	// Nobody's consent is withdrawn because a choice was overlooked.
	default: '',
	required: true,
	description: 'What the person has decided about marketing messages',
});
