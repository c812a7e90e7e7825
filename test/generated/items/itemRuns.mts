import type { INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';

import { type NodeRun, type NodeRunOptions, runNode } from '../../engine/engine.mts';
import type { ServedTenant, TenantServer } from '../tenants/tenantServer.mts';

/** Runs the node once against a tenant that is gone afterwards. */
export async function runAgainst(
	server: TenantServer,
	tenant: ServedTenant,
	parameters: INodeParameters,
	items: INodeExecutionData[],
	{ onError, settings }: { onError?: OnError; settings?: NodeRunOptions['settings'] } = {},
): Promise<NodeRun> {
	const token = server.nextToken();
	server.serve(token, tenant);
	return await runNode({
		parameters: { advanced: { maximumTries: 2 }, ...parameters },
		items,
		credentials: { tenantDomain: server.origin, accessToken: token },
		onError,
		settings,
	});
}

/** The input items that an output item is linked to. */
export function linksOf({ pairedItem }: INodeExecutionData): number[] {
	const links = Array.isArray(pairedItem) ? pairedItem : pairedItem === undefined ? [] : [pairedItem];
	return links.map((link) => (typeof link === 'number' ? link : link.item));
}

export const isError = ({ json }: INodeExecutionData): boolean => typeof json.error === 'string';
