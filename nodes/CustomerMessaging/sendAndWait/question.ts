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
	/** On the button of a free text and of a custom form. */
	submitLabel: string;
	/** The words after the answer. */
	thanks: string;
	/** The fields of a custom form, in their order. Their names differ. */
	fields: FormField[];
	/** BCP 47, such as `de-AT`, also with an underscore. What is no language counts as English. */
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

/** An answer that has problems: what was written, and sentences about it, each under the name of its control. */
export interface GivenAnswer {
	values: Record<string, string>;
	problems: Record<string, string>;
}

/** The words of a question that has none of its own. */
export const DEFAULT_WORDS = {
	title: 'A Question for You',
	approveLabel: 'Approve',
	declineLabel: 'Decline',
	submitLabel: 'Send Answer',
	thanks: 'Thank you. We have received your answer.',
} satisfies Partial<Question>;

/** The name of the control of an approval and of a free text. */
export const ANSWER = 'answer';

/** The most characters of a text in an answer, as JavaScript and browsers count them. */
export const MAX_TEXT = 10_000;

/**
 * The name of the control of a form's field, by the place of the field. The name of the field would not do: it can be
 * anything, and parsers of forms give brackets a meaning and drop names such as `constructor`.
 */
export const controlName = (index: number) => `field-${index}`;
