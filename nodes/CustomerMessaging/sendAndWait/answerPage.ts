import type { GivenAnswer, Question } from './question';

export const PAGE_HEADERS: Record<string, string> = { 'Content-Type': 'text/html; charset=utf-8' };

export function questionPage(
	question: Question,
	_given?: GivenAnswer,
	_preferred: 'approve' | 'decline' = 'approve',
): string {
	return question.title;
}

export const thanksPage = (question: Question): string => question.thanks;

export const decidedPage = (question: Question): string => question.title;
