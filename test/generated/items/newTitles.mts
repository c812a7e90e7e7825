import type { INodeParameters } from 'n8n-workflow';

import type { NodeRunOptions } from '../../engine/engine.mts';
import { DELIVERY_TRAITS } from '../tenants/composedAnswers.mts';
import type { Outcome } from '../tenants/composedRuns.mts';
import { ComposedTenant } from '../tenants/composedTenant.mts';
import type { TenantServer } from '../tenants/tenantServer.mts';
import { runAgainst } from './itemRuns.mts';

/** A new title whose creation is not answered. */
interface TitleCase {
	name: string;
	parameters: INodeParameters;
	records: number[];
	options: Pick<NodeRunOptions, 'onError' | 'settings'>;
}

const WAYS: Record<string, Pick<TitleCase, 'options' | 'records'>> = {
	'Retry On Fail': {
		records: [7],
		options: { settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	},
	'Retry On Fail, two items': {
		records: [7, 8],
		options: { settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	},
	'Continue, two items': { records: [7, 8], options: { onError: 'continueRegularOutput' } },
};

export const TITLE_CASES: TitleCase[] = ['profile', 'media'].flatMap((resource) =>
	['setTags', 'addTags'].flatMap((operation) =>
		Object.entries(WAYS).map(([what, way]) => ({
			...way,
			name: `a new title is created once although the first answer is lost: ${resource}: ${operation}: ${what}`,
			parameters: {
				...{ resource, operation, tagIds: [], tags: 'Fresh' },
				[`${resource}Id`]: { __rl: true, mode: 'id', value: '={{ $json.record }}' },
			},
		})),
	),
);

/** Has a new title created by a tenant whose first answer is lost. */
export async function meetTitle(
	server: TenantServer,
	{ parameters, records, options }: TitleCase,
): Promise<Outcome> {
	const lost = DELIVERY_TRAITS.find(({ delivery }) => delivery === 'lost');
	if (!lost) throw new Error('There is no trait of a lost answer');
	const tenant = new ComposedTenant(server.origin, { request: 'the write', trait: lost }, false);
	const items = records.map((record) => ({ json: { record } }));
	const { error } = await runAgainst(server, tenant, parameters, items, options);
	const created = tenant.tags.filter(({ title }) => title === 'Fresh');
	const unset = records.filter((record) => {
		const path = [...tenant.written].find((one) => one.includes(`/${record}/`));
		return path === undefined || !tenant.setOf(path).includes(created[0]?.id);
	});
	const [offence] = tenant.offences;
	const isOwed = options.settings !== undefined && !error;
	const problem =
		offence ??
		(created.length === 1 ? undefined : `it was created ${created.length} times`) ??
		(isOwed && unset.length > 0 ? `record ${unset.join(', ')} does not have it` : undefined);
	return { problem, isMet: (tenant.counts.get('the write') ?? 0) > 0 };
}
