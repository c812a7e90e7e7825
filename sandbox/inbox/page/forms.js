import { h } from './dom.js';

let lastId = 0;

/**
 * A labelled control, with a place for what is wrong about it.
 * @param {object} field
 * @param {string} field.name member of what the form sends
 * @param {string} [field.type] of the input; default is text
 * @param {Array<[value: string, label: string] | HTMLElement>} [field.options] makes it a select
 */
export function field({ name, label, type = 'text', options, ...attributes }) {
	const id = `field-${++lastId}`;
	const described = { id, name, ...attributes };
	const control = options
		? h(
				'select',
				described,
				options.map((option) =>
					Array.isArray(option) ? h('option', { value: option[0] }, option[1]) : option,
				),
			)
		: h('input', { type, step: type === 'number' && 'any', autocomplete: 'off', ...described });
	return h(
		'div.field',
		{},
		h('label', { for: id }, label),
		control,
		h('p.error', { id: `${id}-error`, hidden: true }),
	);
}

/** A place that tells, to screen readers too, what came of something. */
export function resultPlace() {
	const place = h('p.said', { role: 'status' });
	const write = (text, isError) => {
		place.textContent = text;
		place.classList.toggle('error', isError);
	};
	return {
		place,
		say: (text) => write(text, false),
		complain: ({ message }) => write(message, true),
	};
}

/** A button that does something, and says what came of it. */
export const actionButton = (label, result, action, attributes = {}) =>
	h(
		'button.quiet',
		{
			type: 'button',
			...attributes,
			onclick: () => action().then((text) => text !== undefined && result.say(text), result.complain),
		},
		label,
	);

const controlsOf = (form) =>
	[...form.elements].filter((control) => control.name !== '' && !control.closest('[hidden]'));

/** What was filled in, by name: numbers as numbers. Empty controls are left out. */
function valuesOf(form) {
	const values = {};
	for (const { name, type, value } of controlsOf(form)) {
		if (value.trim() !== '') values[name] = type === 'number' ? Number(value) : value.trim();
	}
	return values;
}

function mark(control, text) {
	const place = document.getElementById(`${control.id}-error`);
	place.hidden = text === undefined;
	place.textContent = text ?? '';
	control.setAttribute('aria-invalid', String(text !== undefined));
	control.setAttribute('aria-describedby', text === undefined ? '' : place.id);
}

/** Marks controls that are wrong, and goes to the first. @returns whether there was one */
function markWrong(form, textOf) {
	const wrong = controlsOf(form).filter((control) => {
		const text = textOf(control);
		mark(control, text);
		return text !== undefined;
	});
	wrong.at(0)?.focus();
	return wrong.length > 0;
}

/** What the sandbox says about a control. What is wrong within a member is said about the member. */
const saidAbout = (errors, { name }) =>
	Object.entries(errors).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1][0];

/**
 * A form. What is wrong stands at its field, or else where results stand.
 * @param {object} parts
 * @param {(values: object, form: HTMLFormElement) => Promise<string>} parts.send gives what to say then
 */
export function form({ name, submit, send, result }, ...children) {
	let isSending = false;
	const onsubmit = async (event) => {
		event.preventDefault();
		const { currentTarget } = event;
		const missing = (control) => (control.validity.valid ? undefined : control.validationMessage);
		if (isSending || markWrong(currentTarget, missing)) return;
		isSending = true;
		try {
			result.say(await send(valuesOf(currentTarget), currentTarget));
		} catch (error) {
			const isAtField = markWrong(currentTarget, (control) => saidAbout(error.errors ?? {}, control));
			if (isAtField) result.say('');
			else result.complain(error);
		}
		isSending = false;
	};
	return h(
		'form.form',
		{ novalidate: true, 'aria-label': name, onsubmit },
		...children,
		submit && h('button', { type: 'submit' }, submit),
	);
}
