import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeRun } from './engine.mts';
import type { OddTenant } from './oddTenant.mts';
import { byId } from './tenant.mts';

/** What is answered: a body, or a function of the request. */
type Answer = object | string | number | null | ((request: FastifyRequest, reply: FastifyReply) => unknown);

/** The answers of a tenant, by the endpoint that is asked. */
export interface Answers {
	templates?: Answer;
	languages?: Answer;
	pricing?: Answer;
	profiles?: Answer;
	consent?: Answer;
	customer?: Answer;
	mimeTypes?: Answer;
	sizes?: Answer;
	upload?: Answer;
	sendTemplate?: Answer;
	send?: Answer;
}

/** The tail of the address of each endpoint. */
const ENDPOINTS: Array<[keyof Answers, RegExp]> = [
	['templates', /\/templates$/],
	['languages', /\/support\/chatapp-template-languages$/],
	['pricing', /\/support\/chatapp-pricing$/],
	['consent', /\/profiles\/[^/]+\/marketing-opt-in$/],
	['profiles', /\/profiles$/],
	['customer', /\/customers\/[^/]+$/],
	['mimeTypes', /\/support\/allowed-mime-types$/],
	['sizes', /\/support\/media-size-limits$/],
	['upload', /\/files\/temporary-upload$/],
	['sendTemplate', /\/chatapp\/send-template$/],
	['send', /\/conversations\/[^/]+\/messages$/],
];

/** A template with a variable in each place that takes one, as chat app providers describe it. */
export const ORDER_SHIPPED = {
	id: 1,
	name: 'order_shipped',
	language: 'en_US',
	category: 'UTILITY',
	status: 'APPROVED',
	components: [
		{ type: 'BODY', text: 'Hi {{1}}, order {{2}} is on its way.' },
		{ type: 'FOOTER', text: 'Reply STOP to end.' },
		{
			type: 'BUTTONS',
			buttons: [
				{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
				{ type: 'QUICK_REPLY', text: 'Thanks' },
			],
		},
	],
};

/** A template that has these components and nothing else of interest. */
export const templateOf = (...components: unknown[]) => ({ ...ORDER_SHIPPED, components });

export const GERMANY = { country: 'Germany', region: null, calling_code: '49' };

/** Prices of a market, of which a test changes what it is about. */
export const pricesOf = (market: string, change: IDataObject = {}) => ({
	market,
	currency: 'EUR',
	marketing: 0.1,
	utility: 0.05,
	authentication: null,
	authentication_international: null,
	service: null,
	...change,
});

let lastMessageId = 0;

/** A message as the service answers it. */
export const created = (change: IDataObject = {}) => ({
	data: { id: ++lastMessageId, conversation_id: 3, status: 'created', ...change },
});

/** The answers of a tenant where nothing is odd. */
const ORDINARY: Answers = {
	templates: { data: [ORDER_SHIPPED] },
	pricing: { data: { pricing: [pricesOf('Germany')], calling_codes: [GERMANY] } },
	profiles: { data: [] },
	consent: { data: { id: 1, is_opted_in: true, latest_opt_in_at: null, latest_opt_out_at: null } },
	customer: { data: { id: 7, name: 'Mira Example' } },
	mimeTypes: { data: { image: ['image/png'], video: [], audio: [], document: ['application/pdf'] } },
	sizes: {
		data: {
			regular_mb: { image: 5, video: 16, audio: 16, document: 100 },
			temporary_upload_mb: { image: 5, video: 16, audio: 16, document: 100 },
		},
	},
	upload: { internal_uuid: 'uploaded', url: 'https://files.example/uploaded', public: true },
	sendTemplate: () => created(),
	send: () => created(),
};

/** Has the tenant answer these endpoints so, and all others as an ordinary tenant does. */
export function answerWith(tenant: OddTenant, answers: Answers = {}): void {
	tenant.answer(async (request, reply) => {
		const path = request.url.split('?')[0];
		const [name] = ENDPOINTS.find(([, tail]) => tail.test(path)) ?? [];
		const answer = name && (name in answers ? answers[name] : ORDINARY[name]);
		if (answer === undefined) return await reply.code(404).send({ message: 'Not found' });
		return typeof answer === 'function'
			? await answer(request, reply)
			: await reply.type('application/json').send(JSON.stringify(answer));
	});
}

/** A refusal of the service. */
export const refusal =
	(status: number, message = 'Refused') =>
	(_request: FastifyRequest, reply: FastifyReply) =>
		reply.code(status).send({ message });

/** Breaks the connection after the request has arrived. */
export const reset = (request: FastifyRequest) => {
	request.raw.socket.destroy();
	return null;
};

/** The requests that could change something. */
export const writes = (tenant: OddTenant) => tenant.asked.filter((asked) => !asked.startsWith('GET '));

/** The sending of a template to a phone number, with all of its variables by components. */
export const toPhone: INodeParameters = {
	resource: 'message',
	recipient: 'phoneNumber',
	phoneNumber: '+49 171 0000001',
	agentId: byId(1),
	templateName: byId('order_shipped'),
	templateLanguage: 'en_US',
	variablesMode: 'components',
	bodyVariables: {
		variable: [
			{ name: '1', text: 'Jo' },
			{ name: '2', text: 'A-1' },
		],
	},
	buttons: { button: [{ type: 'url', position: 1, value: 'A-1' }] },
};

export const sendTemplate: INodeParameters = { ...toPhone, operation: 'sendTemplate' };

/** A text into a conversation. */
export const sendText: INodeParameters = {
	resource: 'message',
	operation: 'send',
	conversationId: '3',
	messageType: 'text',
	text: 'Hello',
};

/** What came out for each item: its JSON, or the message of its error. */
export const outcomes = ({ items }: NodeRun): Array<IDataObject | string> =>
	items.map(({ json, error }) => error?.message ?? (typeof json.error === 'string' ? json.error : json));

/** As many items as wanted, each with its number. */
export const numbered = (count: number) =>
	Array.from({ length: count }, (_, number) => ({ json: { number } }));
