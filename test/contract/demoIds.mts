import type { TestTenant } from '../engine/tenant.mts';
import type { Ids } from './operationCases.mts';
import { PIXEL } from '../engine/pixel.mts';

type Rec = { id: number; uuid?: string; internal_uuid?: string };

/** The demo tenant's records, with a conversation, an activity and attached tags and groups in it. */
export async function demoIds(tenant: TestTenant): Promise<Ids> {
	const list = async (path: string) => (await tenant.ask<{ data: Rec[] }>(path)).data;
	const [users, agents, [customer], [profile], tags, [group], [media], [notification]] = await Promise.all([
		list('/users'),
		list('/agents?channel=chatapp'),
		list('/customers'),
		list('/profiles'),
		list('/tags'),
		list('/groups'),
		list('/media'),
		list('/me/notifications'),
	]);
	await tenant.tell(`/profiles/${profile.id}/tags`, { tags: [{ id: tags[0].id }] });
	await tenant.tell(`/profiles/${profile.id}/groups`, { groups: [{ id: group.id }] });
	await tenant.tell(`/media/${media.id}/tags`, { tags: [{ id: tags[0].id }] });
	await tenant.tell(`/customers/${customer.id}/users`, { user_ids: [users[1].id] });
	await tenant.tell(`/profiles/${profile.id}/marketing-opt-in`, { opt_in: true });
	await tenant.tell(`/profiles/${profile.id}/marketing-opt-in`, { opt_in: false });
	const [activity] = await list(`/profiles/${profile.id}/activities`);
	const message = await tenant.tell<{ data: { id: number; conversation_id: number } }>(
		'/chatapp/send-template',
		{
			customer_id: customer.id,
			agent_id: agents[0].id,
			template_name: 'opening_hours',
			template_language: 'en_US',
			template_components: [],
		},
	);
	const file = await tenant.upload('image', 'image/png', 'dot.png', PIXEL);
	return {
		user: users[1].id,
		agent: agents[0].id,
		customer: customer.id,
		profile: profile.id,
		activity: activity.id,
		tag: tags[0].id,
		otherTag: tags[1].id,
		group: group.id,
		media: media.id,
		file,
		notification: String(notification.uuid),
		conversation: message.data.conversation_id,
		message: message.data.id,
	};
}
