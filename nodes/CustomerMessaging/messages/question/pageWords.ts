/** The words of the page by language. `answer` stands on its button, and in the message before its link. */
const WORDS = {
	ar: {
		title: 'سؤال لك',
		answer: 'الإجابة',
		thanks: 'شكرًا لك. لقد تلقينا إجابتك.',
		answered: 'لقد أجبت بالفعل، أو انتهى الوقت.',
		problem: 'يرجى الإجابة بما لا يزيد عن 10,000 حرف.',
	},
	de: {
		title: 'Eine Frage an Sie',
		answer: 'Antworten',
		thanks: 'Vielen Dank. Wir haben Ihre Antwort erhalten.',
		answered: 'Sie haben schon geantwortet, oder die Zeit ist abgelaufen.',
		problem: 'Bitte antworten Sie mit höchstens 10.000 Zeichen.',
	},
	en: {
		title: 'A Question for You',
		answer: 'Answer',
		thanks: 'Thank you. We have received your answer.',
		answered: 'You have already answered, or the time is over.',
		problem: 'Please answer with at most 10,000 characters.',
	},
	es: {
		title: 'Una pregunta para usted',
		answer: 'Responder',
		thanks: 'Gracias. Hemos recibido su respuesta.',
		answered: 'Ya ha respondido, o el plazo ha terminado.',
		problem: 'Por favor, responda con 10.000 caracteres como máximo.',
	},
	fr: {
		title: 'Une question pour vous',
		answer: 'Répondre',
		thanks: 'Merci. Nous avons bien reçu votre réponse.',
		answered: 'Vous avez déjà répondu, ou le délai est écoulé.',
		problem: 'Veuillez répondre en 10 000 caractères au maximum.',
	},
	pt: {
		title: 'Uma pergunta para você',
		answer: 'Responder',
		thanks: 'Obrigado. Recebemos a sua resposta.',
		answered: 'Você já respondeu, ou o prazo terminou.',
		problem: 'Por favor, responda com no máximo 10.000 caracteres.',
	},
};

/** Returns the words in a language (BCP 47), or else in English. `mark` says in HTML that the page has another language. */
export function wordsIn(language: string) {
	const known = Object.entries(WORDS).find(([code]) => code === new Intl.Locale(language).language);
	return known ? { words: known[1], mark: '' } : { words: WORDS.en, mark: ' lang="en"' };
}
