import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { editorOf, type NodeRunOptions, runNode, workbench } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { RawServer } from '../../engine/rawServer.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();
const raw = RawServer.inEachTest();
const rawCredentials = (): ICredentialDataDecryptedObject => ({
	tenantDomain: raw.url,
	accessToken: `raw-token-${Math.random()}`,
});

/** The limit of each exchange here, and by when it has ended. */
const TIMEOUT = 700;
const LATEST = 3_000;

const requestLimits = { maximumTries: 1 };
const requestOptions = { timeout: TIMEOUT };
const get = { resource: 'tag', operation: 'get', tagId: byId(1), requestLimits, requestOptions };
const create = { resource: 'tag', operation: 'create', title: 'VIP', requestLimits, requestOptions };
const download = { resource: 'file', operation: 'download', fileUuid: 'u-1', requestLimits, requestOptions };

/** Runs the node, and says how long it took. */
async function timed(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	const startedAt = Date.now();
	const run = await runNode({ parameters, credentials: rawCredentials(), ...options });
	return { ...run, took: Date.now() - startedAt };
}

const HEADERS = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

/** Sends one character after another, without an end. */
function drip(socket: Socket, character: string): void {
	const timer = setInterval(() => socket.write(character), 100);
	socket.on('close', () => clearInterval(timer));
}

describe('an answer ends within the time', () => {
	it.each<[string, string, (socket: Socket) => void]>([
		['that never begins', 'The service did not answer', () => {}],
		[
			'whose headers drip',
			'The service did not answer',
			(socket) => {
				socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
				drip(socket, 'x');
			},
		],
		[
			'that stalls after its headers',
			'The answer of the service came to a halt',
			(socket) => socket.write(HEADERS),
		],
		[
			'that stalls within',
			'The answer of the service came to a halt',
			(socket) => socket.write(`${HEADERS}{"data":`),
		],
		[
			'that drips',
			'The answer of the service came to a halt',
			(socket) => {
				socket.write(`${HEADERS}{"data":`);
				drip(socket, ' ');
			},
		],
	])('%s', async (_, message, act) => {
		raw.answer(act);
		const read = await timed(get);
		expect(read.error?.message).toBe(message);
		expect(read.took).toBeLessThan(LATEST);
		const write = await timed(create);
		expect(write.error).toMatchObject({ message, context: { outcome: 'unknown' } });
		expect(write.error?.description).toContain('may have been carried out');
		expect(write.took).toBeLessThan(LATEST);
	});

	it('in the editor without any option, after half a minute', async () => {
		raw.answer((socket) => socket.write(HEADERS));
		const { methods, context } = await editorOf({ parameters: {}, credentials: rawCredentials() });
		const begun = Date.now();
		let now = begun;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
		try {
			const listing = methods.listSearch?.searchTags.call(context);
			void delay(600).then(() => (now += 31_000));
			await expect(listing).rejects.toThrow('The answer of the service came to a halt');
		} finally {
			clock.mockRestore();
		}
		expect(Date.now() - begun).toBeLessThan(LATEST);
	});
});

describe('a download', () => {
	const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 15\r\n\r\n';

	it('that stalls ends, and gives no part of the file', async () => {
		raw.answer((socket) => socket.write(`${head}part`));
		const { error, items, took } = await timed(download);
		expect(error).toMatchObject({
			message: 'The answer of the service came to a halt',
			description: expect.stringContaining('Try again later'),
		});
		expect(items).toEqual([]);
		expect(took).toBeLessThan(LATEST);
	});

	it('may take longer than the time for an answer, as long as it goes on', async () => {
		raw.answer((socket) => {
			socket.write(head);
			drip(socket, 'x');
		});
		const { items, took } = await timed(download);
		expect(items[0].binary?.data).toMatchObject({ fileSize: '15 B', mimeType: 'application/pdf' });
		expect(took).toBeGreaterThan(2 * TIMEOUT);
	});

	it('ends after an hour at the latest', async () => {
		raw.answer((socket) => {
			socket.write(head.replace('15', '1500000'));
			drip(socket, 'x');
		});
		const real = Date.now;
		let skipped = 0;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + skipped);
		try {
			const running = timed(download);
			// In steps, since an hour at once would be a silence.
			for (let minutes = 0; minutes < 61; minutes++)
				void delay(500 + minutes * 30).then(() => (skipped += 60_000));
			const { error } = await running;
			expect(error?.message).toBe('The answer of the service came to a halt');
		} finally {
			clock.mockRestore();
		}
	});
});

describe('a tenant that refuses everything', () => {
	it('ends the run within the time for one request, also where it goes on after failures', async () => {
		odd.answer(async (_request, reply) => await reply.code(429).header('retry-after', '1').send({}));
		const { items, took } = await timed(
			{ ...get, tagId: byId('={{ $json.id }}'), requestLimits: { tryForSeconds: 3 } },
			{
				credentials: odd.credentials,
				items: Array.from({ length: 1000 }, (_, id) => ({ json: { id } })),
				onError: 'continueRegularOutput',
			},
		);
		expect(took).toBeLessThan(8_000);
		const errors = items.map(({ json }) => String(json.error));
		expect(errors).toHaveLength(1000);
		const told = errors.filter((error) =>
			/^(The tenant takes no requests for another|Too many requests)/.test(error),
		);
		expect(told).toHaveLength(1000);
		expect(odd.asked.length).toBeLessThan(100);
	});

	it('is asked again by the next run', async () => {
		odd.answer(async (_request, reply) => await reply.code(429).header('retry-after', '1').send({}));
		const parameters = { ...get, requestLimits: { tryForSeconds: 2 } };
		await timed(parameters, { credentials: odd.credentials });
		odd.answer(() => ({ data: { id: 1 } }));
		expect((await timed(parameters, { credentials: odd.credentials })).error).toBeUndefined();
	});

	it('with 503 and a time makes all wait for it, as with 429', async () => {
		const times: number[] = [];
		odd.answer(async (_request, reply) => {
			times.push(Date.now());
			if (times.length > 3) return { data: { id: 1 } };
			return await reply.code(503).header('retry-after', '2').send({});
		});
		const items = Array.from({ length: 30 }, (_, id) => ({ json: { id } }));
		const { error } = await timed(
			{ ...get, requestOptions: {}, requestLimits: { maximumInFlight: 3 } },
			{ items, credentials: odd.credentials },
		);
		expect(error).toBeUndefined();
		expect(times[3] - times[2]).toBeGreaterThan(1_500);
	});
});

describe('a stopped execution stops within a second', () => {
	/** Runs the node, stops it, and returns how long its function still ran, and how much it asked for after a while. */
	async function stopped(
		parameters: INodeParameters,
		{ after = 500, ...options }: Partial<NodeRunOptions> & { after?: number } = {},
	): Promise<{ took: number; asked: number }> {
		const { nodeType } = await workbench({ parameters });
		const { resource, operation } = parameters as { resource: string; operation: string };
		const operations = nodeType.customOperations?.[resource] ?? {};
		const original = operations[operation];
		let ended = Infinity;
		operations[operation] = async function (...all) {
			try {
				return await original.apply(this, all);
			} finally {
				ended = Date.now();
			}
		};
		let stoppedAt = Infinity;
		let askedBefore = 0;
		try {
			await runNode({
				parameters,
				credentials: odd.credentials,
				...options,
				onStart: (stop) => {
					void delay(after).then(() => {
						stoppedAt = Date.now();
						stop();
						// What was sent before may still arrive.
						void delay(200).then(() => (askedBefore = odd.asked.length));
					});
				},
			});
			await delay(1_500);
		} finally {
			operations[operation] = original;
		}
		expect(stoppedAt).toBeLessThan(Infinity);
		// It was still running when it was stopped.
		expect(ended).toBeGreaterThanOrEqual(stoppedAt);
		return { took: ended - stoppedAt, asked: odd.asked.length - askedBefore };
	}

	const hang = () => new Promise(() => {});
	const items = Array.from({ length: 10 }, (_, id) => ({ json: { id } }));
	const one = { resource: 'tag', operation: 'get', tagId: byId('={{ $json.id }}') };
	const all = { resource: 'tag', operation: 'getAll', returnAll: true };
	const file = { ...download, requestOptions: {} };
	const head = (reply: FastifyReply) => {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'application/json' });
		reply.raw.write('{"data"');
	};

	it.each<[string, Parameters<OddTenant['answer']>[0], INodeParameters, Partial<NodeRunOptions>]>([
		[
			'while it waits for its turn',
			hang,
			one,
			{ items, credentials: { requestLimits: '{"maximumInFlight":1}' } },
		],
		['while it waits for an answer', hang, one, { items }],
		['within an answer', (_, reply) => head(reply), one, { items }],
		[
			'while it waits to try again',
			async (_, reply) => await reply.code(503).send({}),
			one,
			{ items, after: 1_000 } as object,
		],
		[
			'while the tenant asks to wait',
			async (_, reply) => await reply.code(429).header('retry-after', '30').send({}),
			one,
			{ items },
		],
		[
			'between batches',
			() => ({ data: { id: 1 } }),
			{ ...one, requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 20_000 } } } },
			{ items },
		],
		[
			'between pages',
			() => ({ data: [{ id: 1 }], meta: { current_page: 1, last_page: 9 } }),
			all,
			{ credentials: { requestLimits: '{"pageDelay":20000}' } },
		],
		['within a download', (_, reply) => head(reply), file, {}],
		[
			'within an upload',
			hang,
			{ resource: 'file', operation: 'upload', type: 'image', binaryPropertyName: 'data', requestLimits },
			{
				items: [
					{
						json: {},
						binary: {
							data: { data: Buffer.alloc(1000).toString('base64'), mimeType: 'image/png', fileName: 'a.png' },
						},
					},
				],
			},
		],
		[
			'while it reads the rows of an import',
			() => ({ data: {} }),
			{
				resource: 'customer',
				operation: 'bulkImport',
				columns: {
					mappingMode: 'defineBelow',
					value: { displayId: '={{ "4930" + $json.id }}', name: '={{ $json.name.toUpperCase() }}' },
				},
			},
			{
				items: Array.from({ length: 30_000 }, (_, id) => ({ json: { id, name: 'x' } })),
				after: 300,
			} as object,
		],
	])('%s', async (_, answer, parameters, options) => {
		odd.answer(answer);
		const credentials = { ...odd.credentials, ...options.credentials };
		const { took, asked } = await stopped(parameters, { ...options, credentials });
		expect(took).toBeLessThan(1_000);
		expect(asked).toBe(0);
	});
});
