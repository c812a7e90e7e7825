import { createHmac } from 'node:crypto';

import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { caseNames } from '../contract/runCase.mts';
import { demoIds } from '../contract/demoIds.mts';
import { operationCases } from '../contract/operationCases.mts';
import { ACTION_NODE, loadedPackage, newestVersion, runNode } from '../engine/engine.mts';
import { POLLING_NODE, PollingNode } from '../engine/polling.mts';
import { TestTenant } from '../engine/tenant.mts';
import { arrive, TRIGGER_NODE } from '../nodes/trigger/arrival.mts';
import { type Answering, asText, CREDENTIAL, type Exchange, type FrozenTenant } from './frozenTenant.mts';

/** A webhook of the tenant. */
interface Delivery {
	headers: Record<string, string>;
	payload: IDataObject;
	/** What the credential of the trigger holds; none where it asks for none. */
	credential?: ICredentialDataDecryptedObject;
}

/** What a node is given when it runs. */
export interface Given {
	items?: INodeExecutionData[];
	/** What n8n keeps of the runs before. */
	memory?: IDataObject;
	delivery?: Delivery;
	/** Milliseconds since 1970, where the node looks at the clock. */
	at?: number;
}

/** What a run of a node does. */
export interface Done {
	exchanges: Exchange[];
	/** Items with the bytes of their files; null where a trigger does not start the workflow. */
	output: unknown;
	/** With which a trigger refuses a webhook. */
	status?: number;
}

/** A node of a saved workflow. */
export type SavedNode = Pick<INode, 'type' | 'typeVersion'> & { parameters: INodeParameters };

/** Runs a node in n8n's engine, as a saved workflow does. Gives also what n8n keeps for the next run. */
export async function runSaved(
	node: SavedNode,
	{ items, memory = {}, delivery, at }: Given,
	tenant: FrozenTenant,
	answering: Answering,
): Promise<{ done: Done; memory?: IDataObject }> {
	const { type, typeVersion, parameters } = node;
	const credentials = CREDENTIAL;
	// n8n may write into them.
	const own = structuredClone(items);
	const now = Date.now;
	if (at !== undefined) Date.now = () => at;
	try {
		if (type === ACTION_NODE) {
			const work = async () =>
				await runNode({ parameters, items: own, credentials, settings: { typeVersion } });
			const { exchanges, result } = await tenant.during(answering, work);
			if (result.error) throw new Error(`${result.error.message}\n${String(result.error.description)}`);
			return { done: { exchanges, output: await Promise.all(result.items.map(withBytes)) } };
		}
		if (type === POLLING_NODE) {
			const polling = new PollingNode({ parameters, credentials, settings: { typeVersion } });
			polling.stored = JSON.stringify(memory);
			const { exchanges, result } = await tenant.during(answering, async () => await polling.poll());
			return { done: { exchanges, output: result }, memory: JSON.parse(polling.stored) as IDataObject };
		}
		const staticData = { ...memory };
		const { exchanges, result } = await tenant.during(
			answering,
			async () => await arrive({ parameters, typeVersion, staticData, ...delivery }),
		);
		const { status, items: output = null } = result;
		const kept = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		return { done: { exchanges, output, ...(status && { status }) }, memory: kept };
	} finally {
		Date.now = now;
	}
}

async function withBytes({ json, binary, pairedItem }: INodeExecutionData) {
	const fields = Object.entries(binary ?? {}).map(async ([name, { mimeType, fileName }]) => {
		const bytes = await new TestTenant().bytesOf({ json, binary }, name);
		return [name, { mimeType, fileName, bytes: bytes.toString('base64') }] as const;
	});
	return { json, ...(binary && { binary: Object.fromEntries(await Promise.all(fields)) }), pairedItem };
}

/** A node as n8n's editor saves it: without what is as the node has it by default. */
export async function saved(type: string, parameters: INodeParameters): Promise<SavedNode> {
	const { description } = NodeHelpers.getVersionedNodeType(
		(await loadedPackage()).getNode(type.split('.')[1]).type,
	);
	const typeVersion = newestVersion(description);
	const own = NodeHelpers.getNodeParameters(
		...([description.properties, parameters, false, false, { typeVersion }, description] as const),
	);
	return { parameters: own ?? {}, type, typeVersion };
}

/** A node to be frozen, and how to find out what it does. */
export interface Specimen {
	name: string;
	/** File that it is frozen in. */
	file: string;
	node: SavedNode;
	items?: INodeExecutionData[];
	/** Runs it with a tenant at its start. Gives the node as it ran, whose files have other UUIDs, and its runs. */
	record(frozen: FrozenTenant): Promise<{ node: SavedNode; runs: Run[] }>;
}

/** What a node was given, and what it did. */
export type Run = Done & Given;

/** Every operation with each of its parameters, and both triggers with theirs; a tenant of the demo data answers them. */
export class Specimens {
	private constructor(
		private readonly sandbox: Sandbox,
		private readonly tenant: TestTenant,
	) {}

	static async begin(): Promise<Specimens> {
		const sandbox = await startSandbox();
		return new Specimens(sandbox, TestTenant.of(sandbox));
	}

	async end(): Promise<void> {
		await this.sandbox.close();
	}

	async all(): Promise<Specimen[]> {
		return [...(await this.actions()), ...(await this.pollings()), ...(await this.webhooks())];
	}

	private async fresh() {
		await this.sandbox.reset();
		this.sandbox.tenant.description = 'openapi: 3.1.0\n';
		return await demoIds(this.tenant);
	}

	private async actions(): Promise<Specimen[]> {
		const nodeOf = async ({ resource, operation, parameters }: ReturnType<typeof operationCases>[number]) =>
			await saved(ACTION_NODE, { resource, operation, ...parameters });
		const cases = operationCases(await this.fresh());
		return await Promise.all(
			cases.map(async (one, index) => ({
				...{ name: caseNames[index], file: one.resource, node: await nodeOf(one), items: one.items },
				record: async (frozen) => {
					const node = await nodeOf(operationCases(await this.fresh())[index]);
					const { done } = await runSaved(node, { items: one.items }, frozen, this.sandbox);
					return { node, runs: [done] };
				},
			})),
		);
	}

	private async pollings(): Promise<Specimen[]> {
		const id = await this.fresh();
		const [tagId, groupId] = [id('tags', 1), id('groups')];
		const ofProfile = { channel: 'chatapp', tagIds: [tagId], groupIds: [groupId] };
		const settings: INodeParameters[] = [
			{ event: 'newCustomer' },
			{ event: 'newCustomer', filters: ofProfile, options: { catchUpDays: 3 } },
			{ event: 'profileChanged' },
			{ event: 'profileChanged', fields: 'email, custom_2', filters: { tagIds: [tagId] } },
			{ event: 'consentChanged' },
			{ event: 'newNotification' },
		];
		return await Promise.all(
			settings.map(async (parameters, index) => {
				const node = await saved(POLLING_NODE, parameters);
				return {
					...{ name: `Polling ${index + 1}`, file: 'triggers', node },
					record: async (frozen) => {
						await this.fresh();
						const { done: first, memory } = await runSaved(node, {}, frozen, this.sandbox);
						await this.somethingHappens();
						const { done: second } = await runSaved(node, { memory }, frozen, this.sandbox);
						return { node, runs: [first, { memory, ...second }] };
					},
				};
			}),
		);
	}

	private async somethingHappens(): Promise<void> {
		const { clock, customers, profiles, notifications, users } = this.sandbox.store;
		clock.advance(61_000);
		const id = await demoIds(this.tenant);
		const known = id('profiles');
		profiles.update(known, { email: 'changed@mail.example', custom_1: 'one', custom_2: 'two' });
		profiles.setConsent(known, true);
		const created = profiles.ofCustomer(customers.create('chatapp', '491701234567', 'Nora New').id);
		const path = `/profiles/${created?.id}`;
		await this.tenant.tell(`${path}/tags`, { tags: [{ id: id('tags', 1) }] });
		await this.tenant.tell(`${path}/groups`, { groups: [{ id: id('groups') }] });
		notifications.add(users.list().records[0].id, 'News', 'Something happened');
	}

	private async webhooks(): Promise<Specimen[]> {
		const secret = 'a-secret-of-frozen-workflows';
		const headers = { 'content-type': 'application/json' };
		const login = Buffer.from('tenant:word').toString('base64');
		const variants: Array<{ parameters: INodeParameters; delivery: (at: number) => Partial<Delivery> }> = [
			{
				parameters: {},
				delivery: () => ({
					credential: { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret },
					headers: { 'x-webhook-secret': secret },
				}),
			},
			{
				parameters: {
					output: 'simplified',
					filters: {
						conversation: '3',
						from: 'agent',
						source: 'api',
						status: 'failed',
						template: 'welcome, 7',
					},
					additionalOptions: { includeHeaders: true, ipAllowList: '192.0.2.0/24', maximumSizeKb: 64 },
				},
				delivery: () => ({
					credential: { method: 'basicAuth', user: 'tenant', password: 'word' },
					headers: { authorization: `Basic ${login}` },
				}),
			},
			{
				parameters: {
					output: 'raw',
					responseMode: 'lastNode',
					filters: { onlyFailed: true, templates: { chosen: { templateIds: ['7'] } } },
					additionalOptions: { ignoreRedeliveries: false, passUnknown: true, redeliveryHours: 48 },
				},
				delivery: (at) => {
					const time = String(Math.floor(at / 1000));
					const text = `${time}.${JSON.stringify(EVENT)}`;
					return {
						credential: {
							...{ method: 'hmac', signatureHeaderName: 'X-Signature', secret, algorithm: 'sha512' },
							...{ encoding: 'base64', prefix: 'v1=', timestampHeaderName: 'X-Timestamp' },
							toleranceSeconds: 60,
						},
						headers: {
							'x-timestamp': time,
							'x-signature': `v1=${createHmac('sha512', secret).update(text).digest('base64')}`,
						},
					};
				},
			},
			{ parameters: { authentication: 'none' }, delivery: () => ({}) },
		];
		return await Promise.all(
			variants.map(async ({ parameters, delivery }, index) => {
				const node = await saved(TRIGGER_NODE, parameters);
				return {
					...{ name: `Webhook ${index + 1}`, file: 'triggers', node },
					record: async (frozen) => {
						const at = Date.now();
						const { headers: proof, ...more } = delivery(at);
						const given = { at, delivery: { payload: EVENT, headers: { ...headers, ...proof }, ...more } };
						const { done: first, memory } = await runSaved(node, given, frozen, []);
						// The same message once more, after n8n was started anew.
						const { done: again } = await runSaved(node, { ...given, memory }, frozen, []);
						return {
							node,
							runs: [
								{ ...given, ...first },
								{ ...given, memory, ...again },
							],
						};
					},
				};
			}),
		);
	}
}

/** A webhook with every field that the interface shows. */
const EVENT: IDataObject = {
	event: 'new-agent-message',
	message: {
		...{ id: 91, conversation_id: 3, from: 'agent', source: 'api', user_id: 2, status: 'failed' },
		contents: [{ type: 'text', text: { content: 'Your parcel is on its way' } }],
		...{ agent_reaction: null, customer_reaction: null, sent_at: '2026-01-05T10:00:00Z', reference: null },
		latest_error: {
			...{ id: 5, message_id: 91, type: 'session_expired', original_message: 'Outside the window' },
			...{ user_friendly_message: 'The session is over', created_at: '2026-01-05T10:00:01Z' },
		},
		...{ ca_template_id: 7, ca_flow_id: null },
	},
};

/** Tells nodes apart by what they are and are given: UUIDs are others with each tenant. */
export const kindOf = ({ node, items }: Pick<Specimen, 'items' | 'node'>): string =>
	asText([node.type, node.typeVersion, node.parameters, items ?? []]).replace(
		/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
		'<uuid>',
	);
