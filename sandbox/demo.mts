import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { ADMIN_TOKEN, AGENT_TOKEN, MESSAGE_FROM, MESSAGE_SOURCE, MESSAGE_STATUS } from './choices.mts';
import { renderTemplate } from './messages/template.mts';
import type { Store } from './store/store.mts';

const SHOP_PICTURE = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="960" height="500">
	<defs><linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
		<stop offset="0" stop-color="#f6d365"/><stop offset="1" stop-color="#fda085"/>
	</linearGradient></defs>
	<rect width="960" height="500" fill="url(#sky)"/>
	<circle cx="760" cy="150" r="70" fill="#fff5e1" opacity=".9"/>
	<path d="M0 400 Q240 300 480 390 T960 370 V500 H0Z" fill="#e8795a"/>
	<path d="M0 440 Q300 370 560 440 T960 430 V500 H0Z" fill="#b44a4a"/>
	<rect x="330" y="210" width="300" height="190" rx="14" fill="#fffaf3"/>
	<path d="M330 250 h300 M480 210 v190" stroke="#e8795a" stroke-width="16"/>
	<path d="M480 210 c-60 -80 -110 -20 0 0 c60 -80 110 -20 0 0" fill="none" stroke="#b44a4a" stroke-width="14"/>
</svg>`);

/** Stores a picture as an upload would. */
async function addPicture(store: Store): Promise<string> {
	const uuid = randomUUID();
	const content = await sharp(SHOP_PICTURE).jpeg({ quality: 80 }).toBuffer();
	writeFileSync(store.files.incomingPath(uuid), content);
	store.files.add({
		uuid,
		type: 'image',
		public: true,
		name: 'parcel-at-sunset.jpg',
		mime_type: 'image/jpeg',
		size: content.length,
		sha256: createHash('sha256').update(content).digest('hex'),
	});
	return uuid;
}

const TEMPLATES = [
	{
		name: 'order_shipped',
		language: 'en_US',
		category: 'UTILITY',
		components: [
			{ type: 'HEADER', format: 'IMAGE' },
			{ type: 'BODY', text: 'Good news, {{1}}! Your order {{2}} is on its way and should arrive on {{3}}.' },
			{ type: 'FOOTER', text: 'Reply STOP to hear no more from us' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'Track parcel', url: 'https://shop.example/track/{{1}}' },
					{ type: 'QUICK_REPLY', text: 'I have a question' },
				],
			},
		],
	},
	{
		name: 'order_shipped',
		language: 'de',
		category: 'UTILITY',
		components: [
			{ type: 'HEADER', format: 'IMAGE' },
			{
				type: 'BODY',
				text: 'Gute Nachricht, {{1}}! Deine Bestellung {{2}} ist unterwegs und kommt am {{3}} an.',
			},
			{ type: 'FOOTER', text: 'Mit STOP abbestellen' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'Paket verfolgen', url: 'https://shop.example/de/track/{{1}}' },
					{ type: 'QUICK_REPLY', text: 'Ich habe eine Frage' },
				],
			},
		],
	},
	{
		name: 'welcome',
		language: 'en_US',
		category: 'MARKETING',
		components: [
			{ type: 'HEADER', format: 'TEXT', text: 'Welcome, {{first_name}}' },
			{
				type: 'BODY',
				text: 'Hi {{first_name}}, thank you for joining {{shop_name}}. Here is a little something for your first order.',
			},
			{ type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copy code' }] },
		],
	},
	{
		name: 'opening_hours',
		language: 'en_US',
		category: 'UTILITY',
		components: [{ type: 'BODY', text: 'We are open from Monday to Friday, 9 am to 6 pm.' }],
	},
];

/** Fills an empty store with a small tenant that looks like a real one. All people in it are invented. */
export async function addDemoData(store: Store): Promise<void> {
	const picture = await addPicture(store);
	store.database.transaction(() => {
		const admin = store.users.create({
			name: 'Ada Admin',
			email: 'ada@tenant.example',
			is_admin: true,
			external_group: 'office',
			pin: '246810',
		});
		const agent = store.users.create({
			name: 'Sam Service',
			email: 'sam@tenant.example',
			external_id: 'crm-7',
		});
		store.users.create({ name: 'Kim Counter', email: 'kim@tenant.example', external_id: 'crm-8' });
		store.users.addToken(ADMIN_TOKEN, admin.id, true);
		store.users.addToken(AGENT_TOKEN, agent.id, false);
		store.notifications.add(admin.id, 'Template approved', 'The template "welcome" can be sent now.');
		store.notifications.add(admin.id, 'New device', 'Somebody signed in from a new device.');
		store.notifications.add(
			agent.id,
			'Customer attached',
			'You can now see the conversation with Mira Example.',
		);
		store.settings.update('general', {
			company_name: 'Sunset Parcels',
			locale: 'en',
			timezone: 'Europe/Berlin',
		});
		store.settings.update('third-party', { analytics_enabled: false, analytics_id: null });
		store.settings.update('crm', { provider: 'none', sync_profiles: false, base_url: null });

		const shop = store.agents.create('chatapp', 'Shop', '4930111222');
		store.agents.create('chatapp', 'Support', '4930111333');

		const [vip, newsletter, returns] = ['VIP', 'Newsletter', 'Returns'].map(
			(title) => store.tags.create(title).id,
		);
		const regulars = store.groups.create({ name: 'Regulars', description: 'Ordered three times or more' });
		store.groups.create({ name: 'Wholesale', description: null });
		for (const { name, language, ...fields } of TEMPLATES) store.templates.create(name, language, fields);
		const media = store.media.create({
			type: 'image',
			internal_uuid: picture,
			title: 'Parcel at sunset',
			description: 'Header of shipping messages',
			filename: 'parcel-at-sunset.jpg',
		});
		store.tags.sync('media', media, [{ id: newsletter }]);

		const people = [
			{
				name: 'Mira Example',
				number: '491700000001',
				email: 'mira@mail.example',
				city: 'Lindenweg 3, Musterstadt',
			},
			{ name: 'Jonas Sample', number: '491700000002', email: 'jonas@mail.example', city: null },
			{ name: 'Test Tester', number: '447700900003', email: null, city: null },
		].map(({ name, number, email, city }) => {
			const customer = store.customers.create('chatapp', number, name);
			const profile = store.profiles.ofCustomer(customer.id);
			if (!profile) throw new Error('A customer without a profile');
			store.profiles.update(profile.id, { email, address: city });
			store.profiles.addActivity(profile.id, 'first_contact');
			return { customer, profile };
		});
		const [mira, jonas] = people;
		store.customers.attach(agent.id, mira.customer.id);
		store.profiles.update(mira.profile.id, { date_of_birth: '1990-04-12', custom_1: 'Prefers mornings' });
		store.profiles.setConsent(mira.profile.id, true);
		store.tags.sync('profile', mira.profile.id, [{ id: vip }, { id: newsletter }]);
		store.tags.sync('profile', jonas.profile.id, [{ id: returns }]);
		store.groups.attach(mira.profile.id, regulars);

		const minutesAgo = (minutes: number) => store.clock.now() - minutes * 60_000;
		const talk = store.conversations.create(mira.customer.id, shop, null, minutesAgo(31));
		const shipped = store.templates.find('order_shipped', 'en_US');
		const filled =
			shipped &&
			renderTemplate(shipped, [
				{ type: 'header', parameters: [{ type: 'image', image: { id: picture } }] },
				{
					type: 'body',
					parameters: ['Mira', 'A-1042', 'Friday'].map((text) => ({ type: 'text', text })),
				},
				{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-1042' }] },
			]);
		if (shipped && filled && 'template' in filled) {
			store.conversations.addMessage({
				conversation_id: talk.id,
				from: MESSAGE_FROM.agent,
				source: MESSAGE_SOURCE.api,
				user_id: agent.id,
				contents: [{ type: 'template', template: filled.template }],
				status: MESSAGE_STATUS.created,
				ca_template_id: shipped.id,
				at: minutesAgo(52),
			});
		}
		store.conversations.addMessage({
			conversation_id: talk.id,
			from: MESSAGE_FROM.customer,
			source: MESSAGE_SOURCE.customer,
			contents: [
				{ type: 'text', text: { content: 'Lovely, thank you! Can I change the delivery address?' } },
			],
			status: MESSAGE_STATUS.received,
			at: minutesAgo(31),
		});
		store.conversations.addMessage({
			conversation_id: talk.id,
			from: MESSAGE_FROM.agent,
			source: MESSAGE_SOURCE.api,
			user_id: agent.id,
			contents: [{ type: 'text', text: { content: 'Of course. Which address should it go to?' } }],
			status: MESSAGE_STATUS.created,
			at: minutesAgo(28),
		});
	});
}
