import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Choices, DEFAULT_PAGE_SIZE, type EnvelopeKind, OWN_CHOICES, tokensOf } from './choices.mts';
import { Access } from './control/access.mts';
import { controlPlane } from './control/controlPlane.mts';
import { addHealth } from './control/health.mts';
import { runHooks } from './control/hooks.mts';
import { seed, type SeedOptions } from './control/seed.mts';
import { addDemoData } from './demo.mts';
import { refuseAs } from './dialect.mts';
import { faultOf } from './faultHeader.mts';
import { addFaults, Faults } from './faults.mts';
import { addFileRoutes } from './files/fileRoutes.mts';
import { inboxPage } from './inbox/inboxRoutes.mts';
import type { Arrival, WantedMessage } from './messages/arrivals.mts';
import type { DeliveryStatusOptions } from './lifecycle/deliveryStatuses.mts';
import type { TemplateReviewRules } from './lifecycle/templateReview.mts';
import { NearMisses } from './nearMisses.mts';
import { type RecordedRequest, Recorder } from './recorder.mts';
import { Refusal } from './refusal.mts';
import type { Har } from './session/har.mts';
import { Recording } from './session/recording.mts';
import { replay, type Replay } from './session/replay.mts';
import { checkOptions } from './startOptions.mts';
import type { Snapshot } from './store/snapshots.mts';
import { openStore, type Store } from './store/store.mts';
import type { Delivery, WebhookRegistration } from './resources/webhook.mts';
import { Tenant } from './tenant.mts';
import { sendRefusal, tenantApi } from './tenantApi.mts';
import { checkTenantNames, FIRST_TENANT, TenantSwitch } from './tenants.mts';
import { validatorCompiler } from './validation.mts';

export type { EnvelopeKind } from './choices.mts';
export type { ActiveFault, FaultRule } from './faults.mts';
export type { Arrival, WantedMessage } from './messages/arrivals.mts';
export type { DeliveryStatusOptions } from './lifecycle/deliveryStatuses.mts';
export type { TemplateReviewRules } from './lifecycle/templateReview.mts';
export type { RecordedRequest } from './recorder.mts';
export type { Har } from './session/har.mts';
export type { Difference, Replay } from './session/replay.mts';
export type { Snapshot } from './store/snapshots.mts';
export type { Delivery, WebhookRegistration } from './resources/webhook.mts';

export interface SandboxOptions {
	/** Default 127.0.0.1. */
	host?: string;
	/** Default 0: any free one. The other tenants have the ports behind it. */
	port?: number;
	/**
	 * Names of further tenants, each with data, tokens, webhooks, clock, faults and recorded requests of its own. All other
	 * options hold for them too, but `webhooks` are those of the first tenant.
	 */
	tenants?: string[];
	/** What control plane and inbox ask for; default is nothing on this machine's own addresses, a random one on others. */
	controlToken?: string;
	/** Names of this machine, besides `localhost`, under which it may be asked. */
	allowedHosts?: string[];
	/** Folder that keeps everything over a restart; in memory without it. */
	dataDir?: string;
	/** Shape of paginated lists; default `length-aware`. */
	envelope?: EnvelopeKind;
	/** What it chooses otherwise than by default, such as `VARIANTS['text-ids']`. */
	choices?: Partial<Choices>;
	/** Records per page of a list unless the request says otherwise. */
	pageSize?: number;
	/** Registered at the start, besides those a data folder holds; an address is registered once. */
	webhooks?: WebhookRegistration[];
	/** YAML that GET /support/openapi answers in place of the contract. */
	description?: string;
	/** Folder of hooks, which run in the order of their names at every start, before it is ready. */
	hooksDir?: string;
	/** Invented customers for a fresh tenant: how many, or what `POST /sandbox/seed` takes. */
	seed?: number | SeedOptions;
	/** Whether accepted messages become sent, delivered, read or failed later, and when; default is that they do not. */
	deliveryStatuses?: boolean | DeliveryStatusOptions;
	/** Whether new templates wait for approval, and how long; default is that they are approved at once. */
	templateReview?: boolean | Partial<TemplateReviewRules>;
	/** Records the session into this file, once hooks have run. */
	sessionFile?: string;
	/** Where to start in time, milliseconds since 1970; default is now. */
	startAt?: number;
	/** Whether requests are recorded; default true. Off for throughput measurements. */
	record?: boolean;
	/** Fastify's log on standard output; default false. */
	logger?: boolean;
}

/** A tenant of a running sandbox. It shares nothing with the others but the process and the control token. */
export interface SandboxTenant {
	/** http://127.0.0.1:PORT, as it goes into the credential's tenant domain. */
	url: string;
	/** Access token of an admin. */
	token: string;
	/** Access token of a user who is no admin. */
	userToken: string;
	/** Whether it started empty and was filled with the demo data, rather than from a data folder. */
	isFresh: boolean;
	/** Everything the tenant holds, for tests in the same process. */
	store: Store;
	tenant: Tenant;
	/** What answers: `server.inject` asks it without a socket. */
	server: FastifyInstance;
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
	/** Back to the demo data: no webhooks, no faults, no recorded requests, real time. */
	reset(): Promise<void>;
	/**
	 * The first message that fits and came to a customer since the start, the last reset or what `after` says.
	 * @throws after `timeout` milliseconds, by default 10,000, with what came instead
	 */
	nextMessage(wanted: WantedMessage): Promise<Arrival>;
	/** Begins to write down requests with their answers, as `POST /sandbox/recording` does. */
	startRecording(): void;
	/** The session since then, without tokens and webhooks. */
	stopRecording(): Har;
	/**
	 * Resets the tenant, sends the requests of a session again and compares the answers.
	 * @param ignored what is not compared: `times` and `ids` by default, and names of members
	 */
	replay(session: Har, ignored?: string[]): Promise<Replay>;
	/** Saves everything that the tenant holds under a name; one of this name is replaced. Resets leave it alone. */
	saveSnapshot(name: string): Snapshot;
	/** Makes the tenant what it was then. Faults and recorded requests stay as they are. */
	loadSnapshot(name: string): Snapshot;
}

/** The first tenant, and what belongs to the process. */
export interface Sandbox extends SandboxTenant {
	/** What control plane and inbox ask for. */
	controlToken: string | undefined;
	/** The further tenants, by their names. */
	tenants: Record<string, SandboxTenant>;
	close(): Promise<void>;
}

/** Runs before the first byte of a body arrives, as no hook before it waits. */
function recordArrivals(server: FastifyInstance, recorder: Recorder): void {
	server.addHook('onRequest', (request, reply, done) => {
		if (/^\/(third-party|files)\//.test(request.url)) {
			recorder.begin(request.raw);
			reply.raw.once('close', () => recorder.end(request.raw, null));
		}
		done();
	});
}

/** Notes what is answered in the end, after faults have had their way with it. */
function recordAnswers(server: FastifyInstance, recorder: Recorder): void {
	server.addHook('onSend', (request, reply, payload, done) => {
		if (!request.raw.socket.destroyed) recorder.end(request.raw, reply.statusCode);
		done(null, payload);
	});
}

/** Whether there is no such path, whatever is wrong with the body; a parameter without a value is a slash too many. */
const isOfNoEndpoint = ({ is404, params }: FastifyRequest): boolean =>
	is404 || Object.values(params as object).includes('');

/** The address that a client on this machine uses. */
function addressOf(host = '127.0.0.1', port: number): string {
	const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** A tenant with its server, before it listens. */
interface OpenTenant {
	server: FastifyInstance;
	shown: Omit<SandboxTenant, 'url'>;
	close(): Promise<void>;
}

/** Switches on and off what the options say, whatever the control plane has changed. What is planned stays. */
function switchAsStarted(
	{ deliveryStatuses, templateReview }: Tenant,
	{ deliveryStatuses: statuses = false, templateReview: review = false }: SandboxOptions,
): void {
	deliveryStatuses.rules = undefined;
	templateReview.rules = undefined;
	if (statuses !== false) deliveryStatuses.switchOn(statuses === true ? {} : statuses);
	if (review !== false) templateReview.switchOn(review === true ? {} : review);
}

/** Opens the data of a tenant and builds the server that answers for it: each tenant has everything of its own. */
async function openTenant(
	name: string,
	options: SandboxOptions,
	access: Access,
	tenants: TenantSwitch,
): Promise<OpenTenant> {
	const store = openStore(options.dataDir, name);
	if (options.startAt !== undefined) store.clock.set(options.startAt);
	const isFresh = store.isEmpty();
	if (isFresh) {
		await addDemoData(store);
		if (options.seed)
			seed(store, typeof options.seed === 'number' ? { profiles: options.seed } : options.seed);
	}
	const choices = {
		...OWN_CHOICES,
		...options.choices,
		...(options.envelope && { envelope: options.envelope }),
	};
	const tenant = new Tenant(store, choices, options.pageSize ?? DEFAULT_PAGE_SIZE);
	tenant.description = options.description;
	const known = store.webhooks.list().map(({ url }) => url);
	for (const webhook of options.webhooks ?? []) if (!known.includes(webhook.url)) store.webhooks.add(webhook);
	const recorder = new Recorder(
		() => store.clock.iso(),
		() => tenant.events.emit('request'),
	);
	switchAsStarted(tenant, options);

	const nearMisses = new NearMisses();

	const faults = new Faults();
	const reset = async () => {
		tenant.deliveries.forget();
		store.clear();
		store.clock.reset();
		store.saveClock();
		await addDemoData(store);
		switchAsStarted(tenant, options);
		recorder.clear();
		faults.clear();
		tenant.events.emit('reset');
	};

	const tokens = tokensOf(name);
	const recording = new Recording(options.sessionFile ?? join(store.folder, 'session.har'), {
		admin: tokens.admin,
		user: tokens.agent,
		control: access.token,
	});
	const replayed = async (session: Har, ignored?: string[]) => {
		await reset();
		const { port } = server.server.address() as AddressInfo;
		const { admin: token, agent: userToken } = tokens;
		const asked = { url: addressOf(options.host, port), token, userToken, controlToken: access.token };
		return await replay(session, asked, ignored);
	};

	const { record = true } = options;
	const server = Fastify({
		logger: options.logger ?? false,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		serverFactory: (handler) =>
			Object.assign(tenants.serverFor(name, handler), { keepAliveTimeout: 30_000, requestTimeout: 0 }),
	});
	server.setValidatorCompiler(validatorCompiler);
	access.checkNames(server);
	if (record) recordArrivals(server, recorder);
	recording.watch(server);
	addFaults(server, faults, (request) => faultOf(request, access));
	recording.watchAnswers(server);
	if (record) recordAnswers(server, recorder);
	const refuseUnmatched = ({ method, url }: FastifyRequest) => nearMisses.refuse(method, url.split('?')[0]);
	server.setErrorHandler((error: Error, request, reply) => {
		const isUnmatched = !(error instanceof Refusal) && isOfNoEndpoint(request);
		return sendRefusal(isUnmatched ? refuseUnmatched(request) : error, request, reply);
	});
	server.setNotFoundHandler((request) => {
		throw refuseUnmatched(request);
	});
	refuseAs(server, choices);
	nearMisses.watch(server);
	addFileRoutes(server, store);
	await server.register((api) => tenantApi(api, tenant));
	await server.register(async (own) => {
		addHealth(own, tenant);
		await own.register((page) => inboxPage(page, access));
		await own.register((plane) =>
			controlPlane(plane, { tenant, recorder, recording, replayed, faults, access, reset }),
		);
	});
	return {
		server,
		shown: {
			token: tokens.admin,
			userToken: tokens.agent,
			isFresh,
			store,
			tenant,
			server,
			faults,
			requests: () => recorder.list(),
			clearRequests: () => recorder.clear(),
			deliveries: () => store.webhooks.deliveries(-1).reverse(),
			deliveriesSettled: () => tenant.deliveries.settled(),
			registerWebhook: (registration) => store.webhooks.add(registration).id,
			reset,
			nextMessage: (wanted) => tenant.arrivals.next(wanted),
			startRecording: () => recording.start(),
			stopRecording() {
				recording.stop();
				return JSON.parse(recording.read()) as Har;
			},
			replay: replayed,
			saveSnapshot: (snapshot) => tenant.snapshots.save(snapshot),
			loadSnapshot: (snapshot) => tenant.snapshots.load(snapshot),
		},
		async close() {
			tenant.agenda.stop();
			tenant.deliveries.close();
			tenant.arrivals.close();
			recording.stop();
			await server.close();
			store.close();
		},
	};
}

/** Runs the hooks. What they do is the start: it is neither listed as requests nor awaited as messages. */
async function prepare(sandbox: Sandbox, hooksDir: string): Promise<void> {
	const all = [sandbox, ...Object.values(sandbox.tenants)];
	for (const { tenant } of all) tenant.isStarting = true;
	await runHooks(hooksDir, sandbox);
	for (const { tenant, clearRequests } of all) {
		tenant.isStarting = false;
		clearRequests();
		tenant.events.emit('reset');
	}
}

/** What holds for one of the further tenants. */
const optionsOf = (name: string, options: SandboxOptions): SandboxOptions => ({
	...options,
	dataDir: options.dataDir === undefined ? undefined : join(options.dataDir, 'tenants', name),
	webhooks: undefined,
	sessionFile: undefined,
});

/** No machine has a port above it. */
const LAST_PORT = 65_535;

/** Has a tenant answer at a port, and do what is due. */
async function listen({ server, shown }: OpenTenant, host: string, port: number): Promise<SandboxTenant> {
	await server.listen({ host, port });
	shown.tenant.agenda.start();
	return { ...shown, url: addressOf(host, (server.server.address() as AddressInfo).port) };
}

/**
 * Starts a sandbox tenant, and others beside it if they are named.
 * @throws when a port is taken (code EADDRINUSE), an option or a name is none, a data folder belongs to another version, or a hook fails.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	checkOptions(options);
	const { host = '127.0.0.1', port = 0, tenants: names = [] } = options;
	checkTenantNames(names);
	if (port + names.length > LAST_PORT) {
		throw new Error(
			`${names.length} further tenants need as many ports above ${port}: choose a smaller one.`,
		);
	}
	const access = new Access(host, options.controlToken, options.allowedHosts, names);
	const tenants = new TenantSwitch();
	const opened: OpenTenant[] = [];
	let closed: Promise<unknown> | undefined;
	const close = async () => void (await (closed ??= Promise.all(opened.map((tenant) => tenant.close()))));
	try {
		opened.push(await openTenant(FIRST_TENANT, options, access, tenants));
		for (const name of names) opened.push(await openTenant(name, optionsOf(name, options), access, tenants));
		for (const { server } of opened) await server.ready();
		const listening: SandboxTenant[] = [];
		for (const [index, tenant] of opened.entries()) {
			listening.push(await listen(tenant, host, port === 0 ? 0 : port + index));
		}
		const [first, ...others] = listening;
		const sandbox = {
			...first,
			controlToken: access.token,
			tenants: Object.fromEntries(others.map((tenant) => [tenant.store.name, tenant])),
			close,
		};
		if (options.hooksDir !== undefined) await prepare(sandbox, options.hooksDir);
		if (options.sessionFile !== undefined) sandbox.startRecording();
		return sandbox;
	} catch (error) {
		await close();
		throw error;
	}
}
