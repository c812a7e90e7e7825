import type { IDataObject } from 'n8n-workflow';
import type { GivenAnswer, Question } from './question';

export function readAnswer(_question: Question, _body: unknown): { data: IDataObject } | GivenAnswer {
	return { data: {} };
}
