/** What a person is asked on the answer page. All texts are plain text: the page escapes them and makes no links of them. */
export interface Question {
	/** The heading. */
	title: string;
	/** Shown below the heading, with its line breaks. */
	message: string;
	responseType: 'approval' | 'freeText' | 'customForm';
	approveLabel: string;
	/** Without it, the only answer is to approve. */
	declineLabel?: string;
	submitLabel: string;
	/** The words after the answer. */
	thanks: string;
	/** The fields of a custom form, in their order. Their names differ. */
	fields: FormField[];
	/** BCP 47, such as `de-AT`. An underscore instead of the hyphen is fine; what is no language counts as English. */
	language: string;
}

export interface FormField {
	/** The member of the answer. */
	name: string;
	label: string;
	type: 'text' | 'number' | 'date' | 'choice';
	/** What can be chosen, for a field of type `choice`. */
	choices: string[];
	isRequired: boolean;
	placeholder?: string;
}

/** The values that came back from the page as they were written, and what is wrong with them, each by the control's name. */
export interface GivenAnswer {
	values: Record<string, string>;
	problems: Record<string, string>;
}

/** The name of the control of an approval and of a free text. */
export const ANSWER = 'answer';

/**
 * The name of the control of a form's field. It is not the name of the field, which can be anything: parsers of forms
 * give a meaning to brackets, and drop names such as `constructor`.
 * @param index The place of the field in the form, from 0.
 */
export const controlName = (index: number) => `field-${index}`;
