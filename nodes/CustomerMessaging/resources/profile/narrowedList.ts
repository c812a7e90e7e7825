import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type howMany, type Narrowing, pageSize, recordsOf, wantedOf } from '../../fields/list';
import { inGroup, withConsent, withTag } from '../../fields/profileFields';
import { isRefusedWith } from '../../api/errors';
import type { ItemContext } from '../../runner/field';
import { flow, type Item } from '../../runner/operation';
import { unreadableList } from '../../api/pages';
import { attachedIds, readRecord, unlessHidden } from '../../api/records';
import { recordId, shownIds } from '../../values/ids';
import { isObject } from '../../values/json';
import { stringOf } from '../../values/text';

interface Condition {
	/** Whether the record of the list meets it; undefined if the record does not tell. */
	isMetBy: (profile: IDataObject) => boolean | undefined;
	ask: (context: ItemContext, id: string) => Promise<boolean>;
}

const tagged = (tagId: string): Condition => {
	const wanted = recordId(tagId) ?? tagId;
	return {
		isMetBy: ({ tags }) => shownIds(tags)?.includes(wanted),
		ask: async (context, id) =>
			(await attachedIds(context.api, `/profiles/${encodeURIComponent(id)}/tags`)).includes(wanted),
	};
};

const consenting = (isWanted: boolean): Condition => ({
	isMetBy: ({ marketing_opt_in: optIn }) => {
		// "1 means consent given" (Profile of the interface).
		const isKnown = [0, 1, false, true, null].includes(optIn as number);
		return isKnown ? (optIn === 1 || optIn === true) === isWanted : undefined;
	},
	async ask(context, id) {
		const path = { id };
		const { is_opted_in } = await readRecord(context.api, 'GET /profiles/{id}/marketing-opt-in', { path });
		if (typeof is_opted_in === 'boolean') return is_opted_in === isWanted;
		throw new NodeOperationError(
			context.getNode(),
			`The service does not tell the marketing consent of profile ${id}`,
			{
				description:
					'Remove the filter Marketing Consent, or tell the operator of the service that is_opted_in is missing.',
			},
		);
	},
});

/** Whether a profile meets a condition that the list does not tell. A profile that was deleted meanwhile does not. */
async function asked(context: ItemContext, { ask }: Condition, id: string): Promise<boolean> {
	const { lookUps } = context.api;
	lookUps.requests++;
	return await ask(context, id).catch(async (error: unknown) => {
		const isMissing = isRefusedWith(error, 404);
		const reading = async () => await readRecord(context.api, 'GET /profiles/{id}', { path: { id } });
		if (isMissing && (await unlessHidden(reading())) === undefined) return false;
		throw error;
	});
}

/**
 * A record is looked up only if it could still stay, and not more at once than are wanted.
 *
 * @param members the IDs of the profiles that may stay; each is removed when it comes
 */
async function narrowingOf(
	context: ItemContext,
	conditions: Condition[],
	members?: Set<unknown>,
): Promise<Narrowing> {
	const { lookUps } = context.api;
	const { maximumInFlight } = await context.api.settings();
	const stays = async (record: unknown) => {
		const profile = isObject(record) ? record : {};
		const requireId = () => {
			if (recordId(profile.id) === undefined) throw unreadableList();
			return stringOf(profile.id).trim();
		};
		if (members && !members.delete(recordId(requireId()))) return false;
		const answers = conditions.map(({ isMetBy }) => isMetBy(profile));
		if (answers.includes(false)) return false;
		const open = conditions.filter((_, index) => answers[index] === undefined);
		if (open.length > 0) lookUps.records++;
		for (const condition of open) if (!(await asked(context, condition, requireId()))) return false;
		return true;
	};
	return {
		async keep(records, most) {
			const kept: unknown[] = [];
			for (let next = 0; next < records.length && kept.length < most; ) {
				const some = records.slice(next, next + Math.min(most - kept.length, maximumInFlight));
				const answers = await Promise.all(some.map(stays));
				kept.push(...some.filter((_, index) => answers[index]));
				next += some.length;
			}
			return kept;
		},
		isDone: () => members?.size === 0,
	};
}

type ListSetting =
	| (typeof howMany)[number]
	| typeof inGroup
	| typeof pageSize
	| typeof withConsent
	| typeof withTag;

const conditionsOf = ({ read, shows }: Item<ListSetting>): Condition[] => [
	...(shows(withConsent) ? [consenting(read(withConsent) === 'optedIn')] : []),
	...(shows(withTag) ? [tagged(read(withTag))] : []),
];

/**
 * Reads profiles page by page. Those of a group come from the group's own list, unless the query asks for something that
 * only the list of all profiles can search or sort. Then this list is read until the whole group has come.
 */
export const readProfiles = flow<ListSetting>(async (item) => {
	const { context, request, read, shows } = item;
	const [most, size] = [wantedOf(item), read(pageSize)];
	const conditions = conditionsOf(item);
	if (!shows(inGroup)) {
		const narrowing = conditions.length > 0 ? await narrowingOf(context, conditions) : undefined;
		return await recordsOf(item, most, size, narrowing);
	}
	const url = `/groups/${encodeURIComponent(read(inGroup))}/profiles`;
	if (Object.keys(request.qs ?? {}).length === 0) {
		const narrowing = await narrowingOf(context, conditions);
		return await recordsOf({ ...item, request: { ...request, url } }, most, undefined, narrowing);
	}
	const members = new Set<unknown>(await attachedIds(context.api, url));
	if (members.size === 0) return [];
	return await recordsOf(item, most, size, await narrowingOf(context, conditions, members));
});
