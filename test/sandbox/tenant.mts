import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import type { Question } from '../http.mts';
import { waitFor } from '../n8n/waitFor.mts';
import { type Answer, ask } from './tenantClient.mts';

export { type Answer, ask } from './tenantClient.mts';

/** A sandbox over real HTTP, with short ways to ask it. */
export interface TestTenant extends Sandbox {
	/** Sends JSON to a path of the interface as the admin, or with another token. */
	ask(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
	/** The same, for requests that must be answered with 200: gives back the body. */
	must<Body = Record<string, unknown>>(
		method: string,
		path: string,
		body?: unknown,
		token?: string,
	): Promise<Body>;
	/** Asks the control plane, without a token. */
	control<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
}

const jsonInit = (method: string, body: unknown, headers: Record<string, string> = {}): Question => ({
	method,
	headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
	body: body === undefined ? undefined : JSON.stringify(body),
});

function expectOk(answer: Answer, what: string): Answer {
	if (answer.status !== 200)
		throw new Error(`${what} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
	return answer;
}

export async function startTenant(options: SandboxOptions = {}): Promise<TestTenant> {
	const sandbox = await startSandbox(options);
	const send: TestTenant['ask'] = (method, path, body, token = sandbox.token) =>
		ask(`${sandbox.url}/third-party/v1${path}`, jsonInit(method, body, { authorization: `Bearer ${token}` }));
	return {
		...sandbox,
		ask: send,
		async must<Body>(method: string, path: string, body?: unknown, token?: string) {
			return expectOk(await send(method, path, body, token), `${method} ${path}`).body as Body;
		},
		async control<Body>(method: string, path: string, body?: unknown) {
			const answer = await ask(`${sandbox.url}/sandbox${path}`, jsonInit(method, body));
			return expectOk(answer, `${method} /sandbox${path}`).body as Body;
		},
	};
}

/** A tenant for the tests of one file, back to its demo data before each of them. */
export function useTenant(options: SandboxOptions = {}): TestTenant {
	const tenant = {} as TestTenant;
	beforeAll(async () => void Object.assign(tenant, await startTenant(options)));
	beforeEach(() => tenant.reset());
	// Without one that was started, the failure to start is what is to be read.
	afterAll(() => (tenant as Partial<TestTenant>).close?.());
	return tenant;
}

/** What lists and single records come in. */
export interface Data<Value> {
	data: Value;
}

/** Any record: tests look at the members they are about. */
export type Fields = Record<string, unknown> & { id: number };

/** An upload form for POST /files/temporary-upload. */
export function uploadForm(
	fields: Record<string, string>,
	file?: { content: string | Uint8Array<ArrayBuffer>; mimeType: string; name: string },
): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	if (file) form.append('file', new Blob([file.content], { type: file.mimeType }), file.name);
	return form;
}

/** Uploads a file as the admin. */
export const upload = (tenant: Sandbox, form: FormData): Promise<Answer> =>
	ask(`${tenant.url}/third-party/v1/files/temporary-upload`, {
		method: 'POST',
		headers: { authorization: `Bearer ${tenant.token}` },
		body: form,
	});

/** Waits until a condition holds. */
export async function until<Value>(
	probe: () => Promise<Value | undefined> | Value | undefined,
	what: string,
): Promise<Value> {
	return await waitFor(what, probe, { every: 5 });
}
