import { Findings, type Report } from './findings.mts';
import { ReadWalk } from './readWalk.mts';
import { type ClientOptions, TenantClient } from './tenantClient.mts';
import { WriteRun } from './writeRun.mts';

export interface CheckOptions extends ClientOptions {
	/** Whether test records may be created, changed and deleted. */
	write?: boolean;
	/** Whether the report has the names of members that the contract does not show. */
	names?: boolean;
	/** Gets to know what would remain if the process ended now. */
	onWrites?: (remaining: () => string[]) => void;
}

/** What a check found out. */
export interface Checked {
	report: Report;
	/** Why the check ended early; undefined where it did not. */
	failure?: Error;
}

/** Reads a tenant, and writes test records where that is allowed. It throws nothing: what was seen is reported. */
export async function checkTenant(options: CheckOptions): Promise<Checked> {
	const findings = new Findings(options.baseUrl, options.names);
	const client = new TenantClient(options, findings);
	const writes = new WriteRun(client, findings);
	let failure: Error | undefined;
	try {
		await new ReadWalk(client, findings).run();
		if (options.write) {
			options.say?.(`      creates, changes and deletes test records: "${writes.mark}"`);
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
