import type { Bench } from '../bench.mts';
import type { BareNode } from '../engine/bareNodes.mts';
import type { JobNode } from '../engine/job.mts';

const NAME = '={{ $json.name }}';

/** The name as n8n has to compute it for each item. */
export const COMPUTED_NAME = "={{ $json.firstName + ' ' + $json.lastName }}";

/** One POST /customers for each item, by our node. */
export const createWithOurs = (bench: Bench, settings?: JobNode['settings'], name = NAME): JobNode =>
	bench.ours(
		{ resource: 'customer', operation: 'create', displayId: '={{ $json.displayId }}', name },
		settings,
	);

/** The same requests by HTTP Request. */
export const createWithHttpRequest = (bench: Bench, settings?: JobNode['settings'], name = NAME): JobNode =>
	bench.httpRequest(
		'/customers',
		{
			method: 'POST',
			sendBody: true,
			bodyParameters: {
				parameters: [
					{ name: 'channel', value: 'chatapp' },
					{ name: 'display_id', value: '={{ $json.displayId }}' },
					{ name: 'name', value: name },
				],
			},
		},
		settings,
	);

/** The same requests by a node that has nothing but n8n's engine. */
export const createWithBareNode = (node: BareNode): JobNode => ({
	type: `bench.${node}`,
	parameters: { channel: 'chatapp', displayId: '={{ $json.displayId }}', name: NAME },
});
