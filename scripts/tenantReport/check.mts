import { Findings, type Report } from './findings.mts';
import { ReadWalk } from './readWalk.mts';
import { TenantClient } from './tenantClient.mts';
import { WriteRun } from './writeRun.mts';

export interface CheckOptions {
	baseUrl: string;
	token: string;
	/** Whether test records may be created, changed and deleted. */
	write?: boolean;
	/** Whether the report has the names of members that the contract does not show. */
	names?: boolean;
	/** Gets a line for each request. */
	say?: (line: string) => void;
	/** Ends the check early; what was created is removed all the same. */
	stop?: AbortSignal;
	/** Milliseconds between two requests; default `PAUSE_MS`. */
	pauseMs?: number;
	/** Milliseconds that a request may take with all of its answer; default a minute. */
	longestRequestMs?: number;
	/** Gets to know what would remain if the process ended now. */
	onWrites?: (remaining: () => string[]) => void;
}

/** What a check found out. */
export interface Checked {
	report: Report;
	/** Why the check ended early; undefined where it did not. */
	failure?: Error;
}

/** Milliseconds between two requests, unless somebody chooses otherwise. */
export const PAUSE_MS = 100;

/** Reads a tenant, and writes test records where that is allowed. It throws nothing: what was seen is reported. */
export async function checkTenant(options: CheckOptions): Promise<Checked> {
	const { baseUrl, token, write = false, say = () => undefined, pauseMs = PAUSE_MS } = options;
	const stop = options.stop ?? new AbortController().signal;
	const findings = new Findings(baseUrl, options.names);
	const { longestRequestMs } = options;
	const client = new TenantClient({ baseUrl, token, findings, say, stop, pauseMs, longestRequestMs });
	const writes = new WriteRun(client, findings);
	let failure: Error | undefined;
	try {
		await new ReadWalk(client, findings).run();
		if (write) {
			say(`      creates, changes and deletes test records: "${writes.mark}"`);
			options.onWrites?.(() => writes.remaining());
			await writes.run();
		}
	} catch (error) {
		failure = error as Error;
	} finally {
		findings.leftBehind = await writes.cleanUp();
		await client.close();
	}
	return { report: findings.report(), failure };
}
