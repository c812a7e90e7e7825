import { DISPLAY_ID } from '../choices.mts';
import { applyPlaceholders, type RenderedTemplate, renderTemplate } from '../messages/template.mts';
import { type FieldErrors, invalid } from '../refusal.mts';
import type { Store } from '../store/store.mts';
import { isId } from '../values.mts';
import type { Agent } from './agent.mts';
import type { Customer } from './customer.mts';
import type { Message } from './message.mts';
import type { Call } from './operation.mts';

type SendTemplate = Call<'sendTemplate'>;

/** The customer to send to, if it exists already. `customer_id` wins over `phone_number`. */
function findCustomer(call: SendTemplate): Customer | undefined {
	const { customer_id, phone_number } = call.body;
	if (customer_id !== undefined) {
		if (!call.store.customers.find(customer_id)) {
			throw invalid({ customer_id: [`There is no customer ${customer_id}.`] });
		}
		return call.customer(customer_id);
	}
	const digits = String(phone_number);
	if (!DISPLAY_ID.test(digits)) {
		throw invalid({ phone_number: ['The phone number must be in E.164 format, as a number.'] });
	}
	const known = call.store.customers.byDisplayId('chatapp', digits);
	return known && call.customer(known.id);
}

/** The agent asked for, or the first one of chatapp. */
function findAgent(store: Store, id: number | undefined): Agent {
	const agent = id === undefined ? store.agents.list('chatapp').records.at(0) : store.agents.find(id);
	if (agent?.channel !== 'chatapp')
		throw invalid({ agent_id: ['There is no such agent of the channel chatapp.'] });
	return agent;
}

/** The template filled in. */
function fillTemplate({ store, body }: SendTemplate): RenderedTemplate {
	const { template_name, template_language, template_components = [], placeholders = {} } = body;
	const errors: FieldErrors = {};
	if (template_name === undefined) errors.template_name = ['The template name is required.'];
	if (template_language === undefined) errors.template_language = ['The template language is required.'];
	if (template_name === undefined || template_language === undefined) throw invalid(errors);
	const template = store.templates.find(template_name, template_language);
	if (!template) {
		const languages = store.templates.languages(template_name);
		throw languages.length > 0
			? invalid({ template_language: [`The template exists in ${languages.join(', ')} only.`] })
			: invalid({ template_name: ['There is no approved template of this name.'] });
	}
	if (template.status !== 'approved') {
		throw invalid({ template_name: [`The template is not approved: its status is ${template.status}.`] });
	}
	const rendered = renderTemplate(template, applyPlaceholders(template_components, placeholders));
	if ('errors' in rendered) throw invalid(rendered.errors);
	return rendered.template;
}

/** @throws 422 for an assignment to something that does not exist. Bots and folders are not part of the interface. */
function checkAssignments({ store, body }: SendTemplate): void {
	const errors: FieldErrors = {};
	const { assign_bot_id, assign_folder_id } = body;
	for (const [field, id] of Object.entries({ assign_bot_id, assign_folder_id })) {
		if (id !== undefined && !isId(id)) errors[field] = ['The id must be positive.'];
	}
	const known = { assign_user_id: store.users, assign_tag_id: store.tags, assign_group_id: store.groups };
	for (const [field, records] of Object.entries(known)) {
		const id = body[field as keyof typeof known];
		if (id !== undefined && !records.find(id)) errors[field] = ['There is no such record.'];
	}
	if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** The start of a session that no customer has opened. */
const NEVER = 0;

function createCustomer({ store, user, body }: SendTemplate): Customer {
	const digits = String(body.phone_number);
	const name = body.customer_name?.trim();
	const customer = store.customers.create('chatapp', digits, name ? name : digits);
	if (!user.is_admin) store.customers.attach(user.id, customer.id);
	return customer;
}

/**
 * Sends an approved template. Everything is checked before anything is written; then customer and conversation are
 * created if missing, assignments made, and the message stored with status `created`.
 */
export function sendTemplate(call: SendTemplate): { data: Message } {
	const { store, body, user, tenant } = call;
	const known = findCustomer(call);
	const agent = findAgent(store, body.agent_id);
	checkAssignments(call);
	const template = fillTemplate(call);
	const customer = known ?? createCustomer(call);
	const open = store.conversations.ofCustomer(customer.id);
	const { id } = open ?? store.conversations.create(customer.id, agent.id, agent.bot_id);
	store.conversations.assign(id, {
		agent_id: agent.id,
		bot_id: body.assign_bot_id,
		user_id: body.assign_user_id,
		folder_id: body.assign_folder_id,
		session_started_at: open ? undefined : NEVER,
	});
	const profile = store.profiles.ofCustomer(customer.id);
	if (profile && body.assign_tag_id !== undefined)
		store.tags.attach('profile', profile.id, body.assign_tag_id);
	if (profile && body.assign_group_id !== undefined) store.groups.attach(profile.id, body.assign_group_id);
	const message = store.conversations.addMessage({
		conversation_id: id,
		from: 'agent',
		source: body.from_automation ? 'automation' : 'api',
		user_id: user.id,
		contents: [{ type: 'template', template }],
		status: 'created',
		ca_template_id: template.id,
	});
	return { data: tenant.tell(message) };
}
