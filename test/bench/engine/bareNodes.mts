import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import pLimit, { type LimitFunction } from 'p-limit';

const CREDENTIAL = 'customerMessagingApi';
const IN_FLIGHT = 40;

const FIELDS = [
	['channel', 'channel'],
	['displayId', 'display_id'],
	['name', 'name'],
];

function nodeOf(name: string, properties: INodeProperties[], more: Partial<INodeType['description']> = {}) {
	return {
		description: {
			displayName: name,
			name,
			group: ['transform'],
			version: 1,
			description: 'Creates a customer',
			defaults: { name },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			credentials: [{ name: CREDENTIAL, required: true }],
			properties,
			...more,
		},
	} satisfies INodeType;
}

const properties = (routing: (property: string) => Pick<INodeProperties, 'routing'>): INodeProperties[] =>
	FIELDS.map(([name, property]) => ({
		displayName: name,
		name,
		type: 'string',
		default: '',
		...routing(property),
	}));

async function post(context: IExecuteFunctions | IExecuteSingleFunctions, options: IHttpRequestOptions) {
	const { body } = (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
		...options,
		json: true,
		returnFullResponse: true,
	})) as IN8nHttpFullResponse;
	return body as INodeExecutionData['json'];
}

/** The least that a declarative node can be: three fields that send themselves, all items at once. */
const declarative = nodeOf(
	'declarative',
	properties((property) => ({ routing: { send: { type: 'body', property } } })),
	{ requestDefaults: { method: 'POST', url: '/customers', json: true } },
);

const limits = new WeakMap<object, LimitFunction>();

/** The same with the requests in flight bounded, in the only place that n8n offers for it. */
const boundedDeclarative = nodeOf(
	'boundedDeclarative',
	properties((property) => ({ routing: { send: { type: 'body', property, paginate: true } } })),
	{
		requestDefaults: { method: 'POST', url: '/customers' },
		requestOperations: {
			async pagination({ options }) {
				const run = this.getExecuteData();
				const limit = limits.get(run) ?? pLimit(IN_FLIGHT);
				limits.set(run, limit);
				return [{ json: await limit(async () => await post(this, options as IHttpRequestOptions)) }];
			},
		},
	},
);

/** The same without n8n's routing. */
const programmatic: INodeType = {
	...nodeOf(
		'programmatic',
		properties(() => ({})),
	),
	async execute() {
		const limit = pLimit(IN_FLIGHT);
		const create = async (item: number): Promise<INodeExecutionData> => {
			const body = Object.fromEntries(
				FIELDS.map(([name, property]) => [property, this.getNodeParameter(name, item)]),
			);
			const json = await post(this, { method: 'POST', url: '/customers', body });
			return { json, pairedItem: { item } };
		};
		const items = this.getInputData();
		return [await Promise.all(items.map(async (_, item) => await limit(async () => await create(item))))];
	},
};

/**
 * Nodes that create a customer per item with nothing of this package but its credential: they show what n8n's engine
 * costs by itself.
 */
export const bareNodes = { declarative, boundedDeclarative, programmatic } satisfies Record<
	string,
	INodeType
>;

export type BareNode = keyof typeof bareNodes;
