import { TEMPLATE_LANGUAGES } from '../choices.mts';
import { type FieldErrors, invalid } from '../refusal.mts';
import { isComponentList } from '../messages/template.mts';
import type { Operations } from './operation.mts';

/** What a template needs here: a name, a known language, and components in the chat-app provider's format. */
function check({ name, language, components }: Record<string, unknown>): FieldErrors {
	const errors: FieldErrors = {};
	if (typeof name !== 'string' || name.trim() === '') errors.name = ['A template needs a name.'];
	if (!TEMPLATE_LANGUAGES.some(({ code }) => code === language)) {
		errors.language = ['The language must be one of /support/chatapp-template-languages.'];
	}
	if (components !== undefined && !isComponentList(components)) {
		errors.components = ['The components must be a list of objects with a type.'];
	}
	return errors;
}

export const templateOperations: Operations<'listTemplates' | 'createTemplate'> = {
	listTemplates: (call) => call.page((window) => call.store.templates.list(window)),

	createTemplate({ store, body }) {
		const errors = check(body);
		if (Object.keys(errors).length > 0) throw invalid(errors);
		const { name, language, components = [], ...fields } = body;
		if (store.templates.find(String(name), String(language))) {
			throw invalid({ name: ['A template of this name exists in this language.'] });
		}
		return store.templates.create(String(name), String(language), { ...fields, components });
	},
};
