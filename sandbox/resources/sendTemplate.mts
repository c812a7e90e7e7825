import { DISPLAY_ID, MESSAGE_FROM, MESSAGE_SOURCE, MESSAGE_STATUS, TEMPLATE_STATUS } from '../choices.mts';
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
	if (template.status !== TEMPLATE_STATUS.approved) {
		throw invalid({ template_name: [`The template is not approved: its status is ${template.status}.`] });
	}
	const rendered = renderTemplate(template, applyPlaceholders(template_components, placeholders));
	if ('errors' in rendered) throw invalid(rendered.errors);
	return rendered.template;
}

/** @throws 422 for an assignment to something that does not exist. Bots and folders are not part of the interface. */
function checkAssignments({ store, body }: SendTemplate): void {
	const errors: FieldErrors = {};
	const { assign_bot_id, assign_folder_id, assign_user_id, assign_tag_id, assign_group_id } = body;
	for (const [field, id] of Object.entries({ assign_bot_id, assign_folder_id })) {
		if (id !== undefined && !isId(id)) errors[field] = ['The id must be positive.'];
	}
	const missing = (id: number | undefined, find: (id: number) => unknown) => id !== undefined && !find(id);
	if (missing(assign_user_id, (id) => store.users.find(id)))
		errors.assign_user_id = ['There is no such user.'];
	if (missing(assign_tag_id, (id) => store.tags.find(id))) errors.assign_tag_id = ['There is no such tag.'];
	if (missing(assign_group_id, (id) => store.groups.find(id)))
		errors.assign_group_id = ['There is no such group.'];
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
	const { message, conversation, customer } = store.database.transaction(() => {
		const recipient = known ?? createCustomer(call);
		const open = store.conversations.ofCustomer(recipient.id);
		const { id } = open ?? store.conversations.create(recipient.id, agent.id, agent.bot_id);
		const isOpened = tenant.choices.templateSession === 'opens';
		store.conversations.assign(id, {
			agent_id: agent.id,
			bot_id: body.assign_bot_id,
			user_id: body.assign_user_id,
			folder_id: body.assign_folder_id,
			...(isOpened && { session_started_at: store.clock.now() }),
			...(!isOpened && !open && { session_started_at: NEVER }),
		});
		const profile = store.profiles.ofCustomer(recipient.id);
		if (profile && body.assign_tag_id !== undefined)
			store.tags.attach('profile', profile.id, body.assign_tag_id);
		if (profile && body.assign_group_id !== undefined) store.groups.attach(profile.id, body.assign_group_id);
		const sent = store.conversations.addMessage({
			conversation_id: id,
			from: MESSAGE_FROM.agent,
			source: body.from_automation ? MESSAGE_SOURCE.automation : MESSAGE_SOURCE.api,
			user_id: user.id,
			contents: [{ type: 'template', template }],
			status: MESSAGE_STATUS.created,
			ca_template_id: template.id,
		});
		return { message: sent, conversation: store.conversations.find(id), customer: recipient };
	});
	tenant.deliveryStatuses.follow(message, customer);
	tenant.events.emit('message', message);
	if (body.from_automation && conversation) tenant.deliveries.announce(message, conversation, customer);
	return { data: message };
}
