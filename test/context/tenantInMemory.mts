import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import { Api } from '../../nodes/CustomerMessaging/api/client.ts';
import type { RunContext } from '../../nodes/CustomerMessaging/api/client.ts';
import { nodeOf } from '../engine/otherNodes.mts';

/** A request as the client hands it to n8n: method and path with its query. */
export interface Asked {
	request: string;
	body: unknown;
	/** When it went out, in milliseconds since 1970. */
	at: number;
}

export interface Reply {
	/** 200 unless given. */
	status?: number;
	/** By lower-case names. */
	headers?: Record<string, string | undefined>;
	body?: unknown;
}

type Answer = (asked: Asked, options: IHttpRequestOptions) => Reply | Promise<Reply>;

/** What the items of a run of the node have in common. */
export interface RunOptions {
	/** The settings in `advanced` of the credential. */
	advanced?: IDataObject;
	/** Who asks, with a token of their own. */
	user?: string;
	/** Host name of the tenant. */
	tenantDomain?: string;
	/** Aborts when a person stops the execution. */
	stop?: AbortSignal;
	items?: INodeExecutionData[];
	node?: Partial<INode>;
	/** Takes what the editor shows above the output. */
	hints?: NodeExecutionHint[];
}

/** A connection that ends without an answer, as Node.js tells it: by the system call, which stands on the innermost error. */
export const broken = (code: string, syscall?: string): Error =>
	new Error('wrapped', { cause: Object.assign(new Error('inner'), { code, ...(syscall && { syscall }) }) });

const OF_ACME = 'https://acme.example/third-party/v1';

/** The part of n8n that sends requests, answered by the test instead of a server. */
export class TenantInMemory {
	/** How many tests there were, of all files of this process. */
	private static tests = 0;

	/** The requests of this test, in their order. */
	readonly asked: Asked[] = [];

	/** Most requests that were on their way at the same time. */
	most = 0;

	private inFlight = 0;

	private token = '';

	private reply: Answer = () => ({});

	/** Says what each request gets. What it throws is a request without an answer. */
	answer(reply: Answer): void {
		this.reply = reply;
	}

	/** Answers one after another; the last answer stays. An error is a request without an answer. */
	answerInTurn(...replies: Array<Reply | Error>): void {
		let next = 0;
		this.answer(() => {
			const reply = replies[Math.min(next++, replies.length - 1)];
			if (reply instanceof Error) throw reply;
			return reply;
		});
	}

	get requests(): string[] {
		return this.asked.map(({ request }) => request);
	}

	/** Milliseconds between one request and the next. */
	get gaps(): number[] {
		return this.asked.slice(1).map(({ at }, index) => at - this.asked[index].at);
	}

	private async send({ method = 'GET', url, qs, body, ...others }: IHttpRequestOptions): Promise<object> {
		const query = qs && Object.keys(qs).length > 0 ? `?${new URLSearchParams(qs as never)}` : '';
		const asked = { request: `${method} ${url.replace(OF_ACME, '')}${query}`, body, at: Date.now() };
		this.asked.push(asked);
		this.most = Math.max(this.most, ++this.inFlight);
		try {
			const options = { method, url, qs, body, ...others };
			const { status = 200, headers = {}, body: content } = await this.reply(asked, options);
			return { statusCode: status, headers, body: content };
		} finally {
			this.inFlight--;
		}
	}

	/** Begins a run of the node. @returns the context of the whole run */
	batch({
		advanced = {},
		user = 'anybody',
		tenantDomain = 'acme.example',
		stop,
		items = [{ json: {} }],
		node = {},
		hints = [],
	}: RunOptions = {}): RunContext<IExecuteFunctions> {
		const [data, ofNode] = [{}, {}];
		const context = {
			getCredentials: async () => ({
				tenantDomain,
				accessToken: `${this.token} of ${user}`,
				advanced: { settings: advanced },
			}),
			getNode: () => ({ ...nodeOf('Node', 'test.node'), ...node }),
			getExecuteData: () => data,
			getContext: () => ofNode,
			getInputData: () => items,
			getExecutionCancelSignal: () => stop,
			getTimezone: () => 'UTC',
			getNodeParameter: (_name: string, _item: number, fallback?: unknown) => fallback,
			continueOnFail: () => node.onError !== undefined,
			addExecutionHints: (...given: NodeExecutionHint[]) => hints.push(...given),
			helpers: {
				httpRequestWithAuthentication: async (_credential: string, options: IHttpRequestOptions) =>
					await this.send(options),
			},
		};
		return new Api(context as unknown as IExecuteFunctions).context;
	}

	/** Begins a run of the node. @returns what makes the context of an item */
	run(options: RunOptions = {}): (item?: number) => RunContext<IExecuteSingleFunctions> {
		const batch = this.batch(options);
		return (item = 0) =>
			Object.assign(Object.create(batch) as RunContext<IExecuteSingleFunctions>, {
				getItemIndex: () => item,
				getNodeParameter: (name: string, fallback?: object) => batch.getNodeParameter(name, item, fallback),
			});
	}

	/** Each test has a token of its own, because the package remembers what a tenant and token have refused. */
	static inEachTest(): TenantInMemory {
		const tenant = new TenantInMemory();
		beforeEach(() => {
			tenant.asked.splice(0);
			[tenant.most, tenant.inFlight] = [0, 0];
			tenant.token = `token-of-test-${++TenantInMemory.tests}`;
			tenant.answer(() => ({ body: { data: { id: 1 } } }));
		});
		return tenant;
	}
}
