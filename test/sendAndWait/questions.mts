import type { Question } from '../../nodes/CustomerMessaging/messages/question/answerPage.ts';

export const approval: Question = {
	title: 'Do you accept the quote?',
	message:
		'Quote 2024-118 for Anna Jensen\n3 × filter set\nTotal: 248.00 EUR\n\nThe offer holds until Friday.',
	responseType: 'approval',
	buttons: [
		{ value: 'approve', label: 'Accept' },
		{ value: 'decline', label: 'No, thanks' },
	],
	submitLabel: 'Answer',
	thanks: 'Thank you, Anna. We will get back to you.',
	language: 'en',
};

export const choice: Question = {
	...approval,
	title: 'When may we come?',
	responseType: 'choice',
	buttons: ['On Monday', 'On Tuesday', 'approve'].map((label, place) => ({ value: String(place), label })),
};

export const freeText: Question = {
	...approval,
	title: 'How was your visit?',
	responseType: 'freeText',
	buttons: [],
};
