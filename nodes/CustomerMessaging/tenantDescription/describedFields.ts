import { createHash } from 'node:crypto';

import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import { nodeRunOf } from '../transport/nodeRun';
import { request } from '../transport/request';
import { wait } from '../transport/wait';
import type { DescribedFields } from './requestFields';
import type { RequestPlace } from './requestSchema';

/** Larger descriptions are not read: parsing this much takes about a quarter of a second. */
const MAX_BYTES = 5 * 1024 * 1024;

/** As long as a person waits for a form. */
const MAX_READING_MS = 10_000;

/** How long the fields of a description are offered before it is read again. */
const KEPT_MS = 5 * 60_000;

/** How long a description that could not be read is left alone: long enough for all that one node asks at once. */
const PROBLEM_KEPT_MS = 10_000;

/** Credentials whose fields are kept at a time. */
const MAX_KEPT = 50;

/** Why there are no fields of the tenant; continues "…, since ". */
export interface Problem {
	problem: string;
}

type Reading = Map<Endpoint, DescribedFields> | Problem;

const NONE: DescribedFields = { fields: [], more: 0 };

const readings = new Map<string, { until: number; reading: Promise<Reading> }>();

interface TextStream {
	on(event: 'data', listener: (chunk: Uint8Array) => void): void;
	on(event: 'close' | 'end' | 'error', listener: () => void): void;
	destroy(): void;
}

const problem = (words: string): Problem => ({ problem: `its description ${words}` });

/** Reads an answer to its end, if it has one. Stops when the signal does. */
async function textOf(stream: TextStream, signal: AbortSignal): Promise<string | Problem> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	return await new Promise((resolve) => {
		const stop = () => {
			stream.destroy();
			// After the end this says nothing.
			resolve(problem('broke off'));
		};
		stream.on('data', (chunk) => {
			bytes += chunk.length;
			chunks.push(chunk);
			if (bytes <= MAX_BYTES) return;
			resolve(problem('is larger than 5 MB'));
			stop();
		});
		stream.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
		stream.on('error', stop);
		stream.on('close', stop);
		if (signal.aborted) stop();
		signal.addEventListener('abort', stop);
	});
}

async function read(
	context: ILoadOptionsFunctions,
	places: readonly RequestPlace[],
	signal: AbortSignal,
): Promise<Reading> {
	let text;
	try {
		const { body } = await request(context, {
			url: '/support/openapi',
			headers: { Accept: 'text/yaml, application/yaml, application/json, */*;q=0.5' },
			encoding: 'stream',
			abortSignal: signal,
		});
		text = await textOf(body as unknown as TextStream, signal);
	} catch (error) {
		return problem(`cannot be read: ${(error as Error).message}`);
	}
	if (typeof text !== 'string') return text;
	const { readDescription } = await import('./readDescription');
	try {
		return readDescription(text, places);
	} catch {
		return problem('is not OpenAPI in YAML or JSON');
	}
}

/** Reads the description, but no longer than a person waits for it. */
async function readInTime(context: ILoadOptionsFunctions, places: readonly RequestPlace[]): Promise<Reading> {
	const reading = new AbortController();
	const waiting = new AbortController();
	const deadline = wait(MAX_READING_MS, waiting.signal).then(() => problem('did not come within 10 seconds'));
	const found = await Promise.race([read(context, places, reading.signal), deadline]);
	reading.abort();
	waiting.abort();
	return found;
}

/**
 * The fields that the tenant's own description names for a request (`GET /support/openapi`).
 *
 * The description is read once for all that ask within five minutes with the same tenant and token. What is kept are
 * its fields, under a digest from which the token cannot be told.
 *
 * @param endpoint one of the places
 * @param places all requests that are ever asked for: of a description nothing else is kept
 * @returns why there are none, where the description is missing, refused, late, larger than 5 MB or no OpenAPI
 */
export async function describedFields(
	context: ILoadOptionsFunctions,
	endpoint: Endpoint,
	places: readonly RequestPlace[],
): Promise<DescribedFields | Problem> {
	const { baseUrl, secret } = await nodeRunOf(context);
	const key = createHash('sha256')
		.update(JSON.stringify([baseUrl, secret]))
		.digest('hex');
	const now = Date.now();
	let kept = readings.get(key);
	if (!kept || kept.until < now) {
		const started = { until: now + KEPT_MS, reading: readInTime(context, places) };
		kept = started;
		readings.delete(key);
		readings.set(key, started);
		const [oldest] = readings.keys();
		if (readings.size > MAX_KEPT) readings.delete(oldest);
	}
	const { reading } = kept;
	const found = await reading;
	if (!('problem' in found)) return found.get(endpoint) ?? NONE;
	kept.until = Math.min(kept.until, Date.now() + PROBLEM_KEPT_MS);
	return found;
}
