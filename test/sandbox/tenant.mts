import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
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
	/** Sends JSON to a path of the control plane, without a token. */
	askControl(method: string, path: string, body?: unknown): Promise<Answer>;
	/** The same, for requests that must be answered with 200: gives back the body. */
	control<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
}

const send = async (method: string, url: string, body: unknown, headers: Record<string, string> = {}) =>
	await ask(url, {
		method,
		headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
		body: body === undefined ? undefined : JSON.stringify(body),
	});

function bodyOf<Body>({ status, body }: Answer, what: string): Body {
	if (status !== 200) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`);
	return body as Body;
}

export async function startTenant(options: SandboxOptions = {}): Promise<TestTenant> {
	const sandbox = await startSandbox({ ...options, choices: { profileTags: 'hidden', ...options.choices } });
	const asked: TestTenant['ask'] = async (method, path, body, token = sandbox.token) =>
		await send(method, `${sandbox.baseUrl}${path}`, body, { authorization: `Bearer ${token}` });
	const askControl: TestTenant['askControl'] = async (method, path, body) =>
		await send(method, `${sandbox.url}/sandbox${path}`, body);
	return {
		...sandbox,
		ask: asked,
		must: async (method, path, body, token) =>
			bodyOf(await asked(method, path, body, token), `${method} ${path}`),
		askControl,
		control: async (method, path, body) =>
			bodyOf(await askControl(method, path, body), `${method} /sandbox${path}`),
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
export const upload = (tenant: Sandbox, body: FormData): Promise<Answer> =>
	ask(`${tenant.baseUrl}/files/temporary-upload`, {
		method: 'POST',
		headers: { authorization: `Bearer ${tenant.token}` },
		body,
	});

/** Waits until a condition holds. */
export const until = async <Value,>(
	probe: () => Promise<Value | undefined> | Value | undefined,
	what: string,
): Promise<Value> => await waitFor(what, probe, { every: 5 });
