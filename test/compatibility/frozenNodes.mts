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
import { type Answer, answerTo } from '../engine/answers.mts';
import { ACTION_NODE, loadedPackage, newestVersion, type NodeRun, runNode } from '../engine/engine.mts';
import { POLLING_NODE, PollingNode } from '../engine/polling.mts';
import { ProcessedData } from '../engine/processedData.mts';
import { byId, TestTenant } from '../engine/tenant.mts';
import { allComparisons, type Comparison, runOf } from '../generated/matrix/comparisons.mts';
import { ContractTenant } from '../generated/matrix/contractTenant.mts';
import { waitingOf } from '../generated/matrix/exchange.mts';
import { kindOf as meaningOf } from '../generated/matrix/kinds.mts';
import { choicesOf } from '../generated/matrix/shownParameters.mts';
import { arrive, TRIGGER_NODE } from '../trigger/arrival.mts';
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
	/** What a person sends to the link of a question. */
	answer?: Answer;
	/** Type of the node before it. */
	sourceType?: string;
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
	/** Until when the execution waits. */
	until?: string;
	/** Why it fails. A frozen run only knows that it does: texts may change. */
	failed?: string | true;
}

/** A node of a saved workflow. */
export type SavedNode = Pick<INode, 'onError' | 'type' | 'typeVersion'> & { parameters: INodeParameters };

/** Runs a node in n8n's engine, as a saved workflow does. Gives also what n8n keeps for the next run. */
export async function runSaved(
	node: SavedNode,
	{ items, memory = {}, delivery, answer, sourceType, at }: Given,
	tenant: FrozenTenant,
	answering: Answering,
): Promise<{ done: Done; memory?: IDataObject }> {
	const { type, typeVersion, parameters, onError } = node;
	const credentials = CREDENTIAL;
	// n8n may write into them.
	const own = structuredClone(items);
	const now = Date.now;
	if (at !== undefined) Date.now = () => at;
	try {
		if (type === ACTION_NODE && answer) {
			const { items: output = null, status } = await answerTo(node, memory, answer);
			return { done: { exchanges: [], output, status } };
		}
		if (type === ACTION_NODE) {
			const store = ProcessedData.inEngine();
			for (const [list, entries] of Object.entries(memory)) store.lists.set(list, String(entries));
			const settings = { typeVersion };
			const work = async (): Promise<Pick<NodeRun, 'error' | 'items'> & Partial<NodeRun>> =>
				await runNode({ parameters, items: own, credentials, settings, onError, sourceType })
					// n8n does not begin a workflow in which something required is missing.
					.catch((error: NodeRun['error']) => ({ error, items: [] }));
			const { exchanges, result } = await tenant.during(answering, work);
			const { error, run } = result;
			const waiting = run && waitingOf(run);
			const output = await Promise.all<unknown>(result.items.map(onError ? withoutTexts : withBytes));
			const done: Done = {
				...{ exchanges, output },
				...(waiting && { until: waiting.until }),
				...(error && { failed: `${error.message}\n${String(error.description)}` }),
			};
			const asked = waiting && { askedQuestion: waiting.askedQuestion };
			return { done, memory: asked ?? Object.fromEntries(store.lists) };
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
		// What a name without an ending tells is up to n8n.
		const type = /\.\w+$/.test(fileName ?? '') && { mimeType };
		return [name, { ...type, fileName, bytes: bytes.toString('base64') }] as const;
	});
	return { json, ...(binary && { binary: Object.fromEntries(await Promise.all(fields)) }), pairedItem };
}

/** An item of a failure only tells which fields it has: its texts may change. */
const withoutTexts = async ({ json, pairedItem }: INodeExecutionData) => ({
	json: json.error === undefined ? json : Object.keys(json),
	pairedItem,
});

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

/**
 * Every operation with each of its parameters, both triggers with theirs, and what n8n keeps of them. A tenant of the demo
 * data answers them, and one made of the contract where a parameter has another value.
 */
export class Specimens {
	private constructor(
		private readonly sandbox: Sandbox,
		private readonly tenant: TestTenant,
		private readonly contract: ContractTenant,
	) {}

	static async begin(): Promise<Specimens> {
		const [sandbox, contract] = [
			await startSandbox({ choices: { profileTags: 'hidden' } }),
			new ContractTenant(),
		];
		await contract.start();
		return new Specimens(sandbox, TestTenant.of(sandbox), contract);
	}

	async end(): Promise<void> {
		await this.contract.stop();
		await this.sandbox.close();
	}

	async all(): Promise<Specimen[]> {
		const actions = await this.actions();
		return [
			...actions,
			...(await this.values(actions)),
			...(await this.together()),
			...(await this.failures()),
			...(await this.sendingOnce()),
			...(await this.answers()),
			...(await this.pollings()),
			...(await this.webhooks()),
		];
	}

	/** Operations by their names, and one of each other kind, which go on where n8n has kept something. */
	async some(isWanted: (name: string) => boolean): Promise<Specimen[]> {
		const actions = (await this.actions()).filter(({ name }) => isWanted(name));
		const [failure] = await this.failures();
		const [sentOnce] = await this.sendingOnce();
		const [[poll], [webhook]] = [await this.pollings(), await this.webhooks()];
		return [...actions, failure, sentOnce, poll, webhook];
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
					if (done.failed) throw new Error(String(done.failed));
					return { node, runs: [done] };
				},
			})),
		);
	}

	/** The values of parameters that no other node has: each choice, each mode of a locator, one of those that people write. */
	private async values(others: Specimen[]): Promise<Specimen[]> {
		const cases = operationCases(await this.fresh());
		const isInCase = ({ operation: { resource, operation }, parameter, mode = 'id' }: Comparison) =>
			mode === 'id' &&
			cases.some(
				(one) =>
					one.resource === resource &&
					one.operation === operation &&
					has(one.parameters, parameter.path.split('.')),
			);
		const { comparisons } = await allComparisons(this.contract);
		const wanted = comparisons.flatMap((comparison) => {
			const { name, parameter, values } = comparison;
			const isChoice = choicesOf(parameter.property).length > 0 || meaningOf(parameter) === 'boolean';
			if (!isChoice && isInCase(comparison)) return [];
			return isChoice
				? values.map((value) => ({ comparison, value, name: `${name} = ${String(value)}` }))
				: [{ comparison, value: values[0], name }];
		});
		const specimens = await Promise.all(
			wanted.map(async ({ comparison, value, name }): Promise<Specimen> => {
				const { parameters, items: given, options } = runOf(comparison, value);
				const { operation, shown, circumstance } = comparison;
				const takesFile = shown.some((one) => ['binary field', 'file'].includes(meaningOf(one)));
				const items = takesFile ? given : given.map(({ json }) => ({ json }));
				const node = await saved(ACTION_NODE, parameters);
				const record = async (frozen: FrozenTenant) => {
					const { credentials, leave } = this.contract.expect(circumstance?.behaviour);
					const answering = { url: String(credentials.tenantDomain), token: String(credentials.accessToken) };
					const more = { ...(options.sourceType && { sourceType: options.sourceType }) };
					const { done } = await runSaved(node, { items, ...more }, frozen, answering);
					leave();
					return { node, runs: [{ ...more, ...done }] };
				};
				return { name, file: `${operation.resource}.values`, node, items, record };
			}),
		);
		const known = new Set(others.map(kindOf));
		return specimens.filter((one) => !known.has(kindOf(one)) && known.add(kindOf(one)));
	}

	/** Parameters of which one wins over the others, and a limit within a page. */
	private async together(): Promise<Specimen[]> {
		const fields = { field: [{ name: 'note', value: 'Row' }] };
		const tenantFields = { mappingMode: 'defineBelow', value: { note: 'Form' } };
		const create = { resource: 'group', operation: 'create', name: 'Group' };
		const nodes: INodeParameters[] = [
			{ resource: 'tag', operation: 'getAll', limit: 1 },
			{ ...create, options: { fieldsJson: '{ "name": "JSON", "note": "JSON", "other": "JSON" }' } },
			{ resource: 'settings', operation: 'update', tenantFields, fields },
			{ ...create, fields, options: { fieldsJson: '{ "note": "JSON" }' } },
		];
		return await Promise.all(
			nodes.map(async (parameters, index) => {
				const node = await saved(ACTION_NODE, parameters);
				return {
					...{ name: `Together ${index + 1}`, file: 'together', node },
					record: async (frozen) => {
						await this.fresh();
						const { done } = await runSaved(node, {}, frozen, this.sandbox);
						return { node, runs: [done] };
					},
				};
			}),
		);
	}

	/** Items that fail beside others that do not, as error branches of workflows read them. */
	private async failures(): Promise<Specimen[]> {
		const id = await this.fresh();
		const items = [{ json: { id: 999_999 } }, { json: { id: id('tags') } }];
		const get = { resource: 'tag', operation: 'get', tagId: byId('={{ $json.id }}') };
		const send = { resource: 'message', operation: 'send', conversationId: '={{ $json.id }}', text: 'Hello' };
		return await Promise.all(
			[get, send].map(async (parameters, index) => {
				const node = { ...(await saved(ACTION_NODE, parameters)), onError: 'continueRegularOutput' as const };
				return {
					...{ name: `Failure ${index + 1}`, file: 'failures', node, items },
					record: async (frozen) => {
						await this.fresh();
						return { node, runs: [(await runSaved(node, { items }, frozen, this.sandbox)).done] };
					},
				};
			}),
		);
	}

	/** Messages whose key n8n remembers. */
	private async sendingOnce(): Promise<Specimen[]> {
		const key = '={{ $json.order }}-shipped';
		const conversationId = String((await this.fresh())('conversations'));
		const send = { resource: 'message', operation: 'send', conversationId, text: 'Shipped' };
		const items = [{ json: { order: 'A-1001' } }];
		return await Promise.all(
			[{ key }, { key, hours: 0 }].map(async (values, index) => {
				const node = await saved(ACTION_NODE, { ...send, options: { sendOnce: { values } } });
				return {
					...{ name: `Send once ${index + 1}`, file: 'memory', node, items },
					record: async (frozen) => {
						await this.fresh();
						const at = Date.now();
						const { done: first, memory } = await runSaved(node, { items, at }, frozen, this.sandbox);
						const later = { at: at + 3_600_000, memory };
						const { done: again } = await runSaved(node, { items, ...later }, frozen, this.sandbox);
						return {
							node,
							runs: [
								{ at, ...first },
								{ ...later, ...again },
							],
						};
					},
				};
			}),
		);
	}

	/** Questions that wait for their answer. */
	private async answers(): Promise<Specimen[]> {
		const conversationId = String((await this.fresh())('conversations'));
		const ask = { resource: 'message', operation: 'sendAndWait', conversationId, message: 'May we?' };
		const fields = [
			{ fieldLabel: 'Day', fieldType: 'date', requiredField: true },
			{ fieldLabel: 'Size', fieldName: 'size', fieldType: 'choice', fieldOptions: 'S\nM' },
			{ fieldLabel: 'How many', fieldName: 'count', fieldType: 'number' },
			{ fieldLabel: 'Note', fieldName: 'note' },
		];
		const filled = { 'field-0': '2031-05-06', 'field-1': 'M', 'field-2': '1,5', 'field-3': '' };
		const questions: Array<[INodeParameters, Omit<Answer, 'query'>]> = [
			[{}, { form: { answer: 'approve' } }],
			[{ approvalOptions: { values: { approveLabel: 'Yes' } } }, { form: { answer: 'decline' } }],
			[{ responseType: 'freeText' }, { form: { answer: 'On Monday' } }],
			[
				{ responseType: 'customForm', formFields: { values: fields } },
				{ form: { data: filled }, isMultipart: true },
			],
			[{ options: { responseFormTitle: 'Delivery' } }, {}],
		];
		return await Promise.all(
			questions.map(async ([parameters, given], index) => {
				const node = await saved(ACTION_NODE, { ...ask, ...parameters });
				return {
					...{ name: `Answer ${index + 1}`, file: 'memory', node },
					record: async (frozen) => {
						await this.fresh();
						const { done: first, memory = {} } = await runSaved(node, {}, frozen, this.sandbox);
						const { secret } = JSON.parse(String(memory.askedQuestion)) as { secret: string };
						const answer = { ...given, query: { question: secret } };
						const { done: second } = await runSaved(node, { memory, answer }, frozen, []);
						return { node, runs: [first, { memory, answer, ...second }] };
					},
				};
			}),
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
					additionalOptions: { includeHeaders: true, maximumSizeKb: 64 },
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
			{
				parameters: { output: 'simplified', additionalOptions: { redeliveryHours: 1 } },
				delivery: () => {
					const signature = createHmac('sha256', secret).update(JSON.stringify(EVENT)).digest('hex');
					return {
						credential: { method: 'hmac', signatureHeaderName: 'X-Signature', secret, ...DEFAULT_SIGNATURE },
						headers: { 'x-signature': signature },
					};
				},
			},
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

/** What n8n keeps of a signature about which nobody has changed anything. */
const DEFAULT_SIGNATURE = {
	algorithm: 'sha256',
	encoding: 'hex',
	prefix: '',
	timestampHeaderName: '',
	toleranceSeconds: 300,
};

/** Whether parameters have a value under a path; of rows the first counts. */
const has = (at: unknown, [name, ...rest]: string[]): boolean => {
	const part: unknown = Array.isArray(at) ? at[0] : at;
	if (name === undefined) return part !== undefined;
	return typeof part === 'object' && part !== null && has((part as IDataObject)[name], rest);
};

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
	asText([
		node.type,
		node.typeVersion,
		node.parameters,
		items ?? [],
		...(node.onError ? [node.onError] : []),
	]).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>');
