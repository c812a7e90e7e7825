import type { FormField, Question } from '../../nodes/CustomerMessaging/sendAndWait/question.ts';

export const approval: Question = {
	title: 'Do you accept the quote?',
	message:
		'Quote 2024-118 for Anna Jensen\n3 × filter set\nTotal: 248.00 EUR\n\nThe offer holds until Friday.',
	responseType: 'approval',
	approveLabel: 'Accept',
	declineLabel: 'No, thanks',
	submitLabel: 'Send Answer',
	thanks: 'Thank you, Anna. We will get back to you.',
	fields: [],
	language: 'en',
};

export const freeText: Question = { ...approval, title: 'How was your visit?', responseType: 'freeText' };

export const field = (name: string, changes: Partial<FormField> = {}): FormField => ({
	name,
	label: `The ${name}`,
	type: 'text',
	choices: [],
	isRequired: false,
	...changes,
});

export const formOf = (...fields: FormField[]): Question => ({
	...approval,
	title: 'When shall we come?',
	responseType: 'customForm',
	fields,
});

/** A form with a field of each kind. */
export const form = formOf(
	field('person', { label: 'Your name', isRequired: true, placeholder: 'As on the door' }),
	field('rooms', { label: 'Number of rooms', type: 'number', isRequired: true }),
	field('day', { label: 'Day', type: 'date' }),
	field('time', {
		label: 'Time',
		type: 'choice',
		choices: ['In the morning', 'In the afternoon', 'In the evening, after six, when the children are home'],
		isRequired: true,
	}),
	field('floor', { label: 'Floor', type: 'choice', choices: ['Ground', 'First'] }),
	field('district', {
		label: 'District',
		type: 'choice',
		choices: Array.from({ length: 12 }, (_, index) => `District ${index + 1}`),
		isRequired: true,
	}),
);
