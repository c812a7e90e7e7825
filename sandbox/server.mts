import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import {
	ADMIN_TOKEN,
	type Choices,
	DEFAULT_PAGE_SIZE,
	type EnvelopeKind,
	OWN_CHOICES,
	STATUS,
	USER_TOKEN,
} from './choices.mts';
import type { Clock } from './clock.mts';
import { PREFIX } from './contract.mts';
import { Access } from './control/access.mts';
import { addHealth, controlPlane } from './control/controlPlane.mts';
import { seed, type SeedOptions } from './control/seed.mts';
import { addFaults, Faults } from './faults.mts';
import { addFileRoutes } from './files/fileRoutes.mts';
import { inboxPage } from './inbox/inboxRoutes.mts';
import { type Arrival, toDisplayId, type WantedMessage } from './messages/arrivals.mts';
import { recordAnswers, recordArrivals, type RecordedRequest, Recorder } from './recorder.mts';
import { existing, notFound, Refusal } from './refusal.mts';
import type { Message } from './resources/message.mts';
import type { Delivery, WebhookRegistration } from './resources/webhook.mts';
import { checkOptions } from './startOptions.mts';
import { addDemoData, openStore, type Store } from './store/store.mts';
import { Tenant } from './tenant.mts';
import { sendRefusal, tenantApi } from './tenantApi.mts';
import { validatorCompiler } from './validation.mts';

export type { FaultRule } from './faults.mts';
export type { RecordedRequest } from './recorder.mts';
export type { Delivery } from './resources/webhook.mts';

export interface SandboxOptions {
	/** Default 127.0.0.1. */
	host?: string;
	/** Default 0: any free one. */
	port?: number;
	/** What control plane and inbox ask for; default is nothing on this machine's own addresses, a random one on others. */
	controlToken?: string;
	/** Names of this machine, besides `localhost`, under which it may be asked. */
	allowedHosts?: string[];
	/** Shape of paginated lists; default `length-aware`. */
	envelope?: EnvelopeKind;
	/** What it chooses otherwise than by default, such as `{ ids: 'text' }`. */
	choices?: Partial<Choices>;
	/** Records per page of a list unless the request says otherwise. */
	pageSize?: number;
	/** Registered at the start. */
	webhooks?: WebhookRegistration[];
	/** YAML that GET /support/openapi answers in place of the contract. */
	description?: string;
	/** Invented customers: how many, or what `POST /sandbox/seed` takes. A reset leaves them out. */
	seed?: number | SeedOptions;
	/** Whether requests are recorded; default true. Off for throughput measurements. */
	record?: boolean;
}

/** A running sandbox. */
export interface Sandbox {
	/** http://127.0.0.1:PORT, as it goes into the credential's tenant domain. */
	url: string;
	/** The same with the path that all endpoints are under. */
	baseUrl: string;
	/** Access token of an admin. */
	token: string;
	/** Access token of a user who is no admin. */
	userToken: string;
	/** What control plane and inbox ask for. */
	controlToken: string | undefined;
	/** Everything the tenant holds, for tests in the same process. */
	store: Store;
	tenant: Tenant;
	/** What answers: `server.inject` asks it without a socket. */
	server: FastifyInstance;
	/** The tenant's time: `clock.advance({ hours: 25 })`. */
	clock: Clock;
	/** Disturbances of the interface: `faults.add({ kind: 'rate-limit', times: 2 })`. */
	faults: Faults;
	/** Requests as they arrived, the oldest first. */
	requests(): RecordedRequest[];
	clearRequests(): void;
	/** Webhook deliveries, the oldest first. */
	deliveries(): Delivery[];
	/** Resolves when no webhook delivery is under way. */
	deliveriesSettled(): Promise<void>;
	registerWebhook(registration: WebhookRegistration): number;
	/** Adds invented customers, the same for the same seed. */
	seed(options: SeedOptions): void;
	/** Has a customer write, which opens the session for replies. @throws when there is no conversation with this number */
	writeAsCustomer(number: string | number, text: string): Message;
	/** Back to the demo data: no webhooks, no faults, no recorded requests, real time. */
	reset(): Promise<void>;
	/**
	 * The first message that fits and came to a customer since the start, the last reset or what `after` says.
	 * @throws after `timeout` milliseconds, by default 10,000, with what came instead
	 */
	nextMessage(wanted: WantedMessage): Promise<Arrival>;
	close(): Promise<void>;
}

/** What can be done with a running sandbox, over HTTP and in the same process. */
export class Controls {
	readonly recorder = new Recorder(
		() => this.tenant.store.clock.iso(),
		() => this.tenant.events.emit('request'),
	);

	readonly faults = new Faults();

	constructor(
		readonly tenant: Tenant,
		readonly access: Access,
	) {}

	async reset(): Promise<void> {
		const { store, deliveries, events } = this.tenant;
		deliveries.forget();
		store.clear();
		store.clock.reset();
		await addDemoData(store);
		this.recorder.clear();
		this.faults.clear();
		events.emit('reset');
	}

	seed(options: SeedOptions) {
		const added = seed(this.tenant.store, options);
		this.tenant.events.emit('reset');
		return added;
	}

	/** Has the customer of a conversation write. @throws 404 */
	writeAsCustomer(conversation_id: number, text: string): Message {
		const { conversations } = this.tenant.store;
		if (!conversations.find(conversation_id)) throw notFound('Conversation');
		return this.tenant.tell(conversations.receive(conversation_id, text));
	}
}

/** The address that a client on this machine uses. */
function addressOf(host: string, server: FastifyInstance): string {
	const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	const { port } = server.server.address() as AddressInfo;
	return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<void> {
	try {
		await server.listen({ host, port });
	} catch (cause) {
		const { code, message } = cause as NodeJS.ErrnoException;
		if (code === 'EADDRINUSE') {
			throw new Error(
				`Port ${port} is taken: stop what runs there, or choose another one (0 is any free one).`,
				{
					cause,
				},
			);
		}
		if (code === 'EACCES')
			throw new Error(`You may not listen at port ${port}: choose one above 1023.`, { cause });
		throw new Error(`The host "${host}" is no address of this machine: choose another one. (${message})`, {
			cause,
		});
	}
}

/**
 * Starts a sandbox.
 * @throws in one sentence, when a port is taken or an option is none
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	checkOptions(options);
	const { host = '127.0.0.1', port = 0, record = true, webhooks = [], envelope } = options;
	const store = openStore();
	await addDemoData(store);
	const choices = { ...OWN_CHOICES, ...options.choices, ...(envelope && { envelope }) };
	const tenant = new Tenant(store, choices, options.pageSize ?? DEFAULT_PAGE_SIZE, options.description);
	const access = new Access(host, options.controlToken, options.allowedHosts);
	const controls = new Controls(tenant, access);
	const { recorder, faults } = controls;
	if (options.seed)
		controls.seed(typeof options.seed === 'number' ? { profiles: options.seed } : options.seed);
	for (const webhook of webhooks) store.webhooks.add(webhook);

	const server = Fastify({ exposeHeadRoutes: false, forceCloseConnections: true, keepAliveTimeout: 30_000 });
	const close = async () => {
		tenant.deliveries.close();
		tenant.arrivals.close();
		await server.close();
		store.close();
	};
	try {
		server.setValidatorCompiler(validatorCompiler);
		access.checkNames(server);
		if (record) recordArrivals(server, recorder);
		addFaults(server, faults);
		if (record) recordAnswers(server, recorder);
		server.setErrorHandler(sendRefusal);
		server.setNotFoundHandler(({ method, url }) => {
			throw new Refusal(STATUS.notFound, `No such endpoint: ${method} ${url.split('?')[0]}.`);
		});
		addFileRoutes(server, store);
		await server.register((api) => tenantApi(api, tenant));
		await server.register(async (own) => {
			addHealth(own);
			await own.register((page) => inboxPage(page, access));
			await own.register((plane) => controlPlane(plane, controls));
		});
		await listen(server, host, port);
	} catch (error) {
		await close();
		throw error;
	}
	const url = addressOf(host, server);
	return {
		url,
		baseUrl: url + PREFIX,
		token: ADMIN_TOKEN,
		userToken: USER_TOKEN,
		controlToken: access.token,
		store,
		tenant,
		server,
		clock: store.clock,
		faults,
		requests: () => recorder.list(),
		clearRequests: () => recorder.clear(),
		deliveries: () => store.webhooks.deliveries(Infinity).reverse(),
		deliveriesSettled: () => tenant.deliveries.settled(),
		registerWebhook: (registration) => store.webhooks.add(registration).id,
		seed: (more) => void controls.seed(more),
		writeAsCustomer(number, text) {
			const customer = store.customers.byDisplayId('chatapp', toDisplayId(number));
			const conversation = customer && store.conversations.ofCustomer(customer.id);
			return controls.writeAsCustomer(existing(conversation, `Conversation with ${number}`).id, text);
		},
		reset: () => controls.reset(),
		nextMessage: (wanted) => tenant.arrivals.next(wanted),
		close,
	};
}
