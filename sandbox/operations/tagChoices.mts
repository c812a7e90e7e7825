import { type FieldErrors, invalid } from '../refusal.mts';
import type { Store } from '../store/store.mts';
import type { TagChoice } from '../store/tags.mts';

/** @throws 422 for an id that no tag has, or an element with neither id nor title. */
export function checkTagChoices(store: Store, choices: TagChoice[]): void {
	const errors: FieldErrors = {};
	choices.forEach(({ id, title }, index) => {
		if (id != null) {
			if (!store.tags.find(id)) errors[`tags.${index}.id`] = [`There is no tag ${id}.`];
		} else if (title == null || title.trim() === '') {
			errors[`tags.${index}.title`] = ['A tag without an id needs a title.'];
		}
	});
	if (Object.keys(errors).length > 0) throw invalid(errors);
}
