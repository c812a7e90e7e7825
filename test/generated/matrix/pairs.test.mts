import { expectNoFailures } from '../../engine/expectNone.mts';
import { ContractTenant } from './contractTenant.mts';
import { type Exchange, inChunks, writesOf } from './exchange.mts';
import { bodyOf, type Meeting, MeetingParameters } from './meetingParameters.mts';
import { meetingRows } from './meetingRows.mts';
import { meetingTags, meetingVariables } from './meetingVariables.mts';
import { kindOf } from './kinds.mts';
import { isLookedAt, isWhole, matrixOperations, nameOf, shownParameters } from './shownParameters.mts';

const tenant = ContractTenant.inThisFile();

/** What is wrong with what came of a meeting; undefined when nothing is. */
function failureOf({ allows, labels }: Meeting, one: Exchange): string | undefined {
	const said = one.error?.split('\n')[0].slice(0, 120);
	if (said === undefined) {
		const body = bodyOf(one);
		const sent = one.requests.map(({ query }) => query).at(-1);
		return allows(body, one) ? undefined : `sends ${JSON.stringify(body ?? sent)}`;
	}
	const [write] = writesOf(one);
	if (write) return `${write.method} was sent before: ${said}`;
	if (!labels) return `is refused: ${said}`;
	return labels.some((label) => one.error?.includes(label))
		? undefined
		: `the error does not name it: ${said}`;
}

describe('nothing is lost where parameters meet in one member', () => {
	const meetings: Meeting[] = [];
	/** What takes members by any name, or has rows: operation and path. */
	const manifold = new Set<string>();
	const byKind: Record<string, number> = {};
	let exchanges: Exchange[] = [];

	beforeAll(async () => {
		const add = (kind: string, made: Meeting[]) => {
			byKind[kind] = (byKind[kind] ?? 0) + made.length;
			meetings.push(...made.filter(({ name }) => isLookedAt(name.split(' ', 2).join(' '))));
		};
		for (const operation of await matrixOperations()) {
			const shown = await shownParameters(tenant, operation);
			add('members', await (await new MeetingParameters(tenant, operation, shown).find()).meetings());
			add('rows', meetingRows(tenant, operation, shown));
			for (const parameter of shown) {
				const { path, within } = parameter;
				const outer = within.at(-1);
				const hasRows = outer?.type === 'fixedCollection' && outer.typeOptions?.multipleValues;
				const takesAny = kindOf(parameter) === 'JSON object' && outer?.type !== 'resourceMapper';
				if (takesAny) manifold.add(`${nameOf(operation)} ${path}`);
				if (hasRows) manifold.add(`${nameOf(operation)} ${path.slice(0, path.lastIndexOf('.'))}`);
			}
		}
		add('variables', meetingVariables(tenant));
		add('tags', meetingTags(tenant));
		exchanges = await inChunks(meetings, async ({ run }) => await run());
	});

	it('finds them in the description and in what goes out', () => {
		expect(exchanges).toHaveLength(meetings.length);
		expect(new Set(meetings.map(({ name }) => name)).size).toBe(meetings.length);
		const unmet = [...manifold].filter((one) => {
			const [, operation, path] = /^(\S+ \S+ )(.*)$/.exec(one) ?? [];
			return !meetings.some(({ name }) => name.startsWith(operation) && name.includes(path));
		});
		expect(unmet).toEqual([]);
		// A part of the node may have none of some kind.
		expect(Object.keys(byKind).filter((kind) => isWhole && byKind[kind] === 0)).toEqual([]);
	});

	it('what the descriptions say wins, and nothing takes the place of another', () => {
		const failures = new Map<string, string>();
		for (const [index, meeting] of meetings.entries()) {
			const failure = failureOf(meeting, exchanges[index]);
			if (failure !== undefined) failures.set(meeting.name, failure);
		}
		expectNoFailures(failures);
	});
});
