import { openStore, tables } from '../../sandbox/store/store.mts';
import { versionOf } from '../../sandbox/store/tables.mts';
import { expectNone } from '../engine/expectNone.mts';

/** So many records of a kind can be made before their ids are those of another kind. */
const MIN_DISTANCE = 10;

describe('the tables of the resources', () => {
	test('ids of profiles are those of other customers', () => {
		const store = openStore();
		const [first, second] = ['1234567', '1234568'].map((number) =>
			store.customers.create('chatapp', number, 'Mira'),
		);
		expect(store.profiles.ofCustomer(first.id)?.id).toBe(second.id);
		store.close();
	});

	test('ids of other kinds of records are apart', () => {
		const firstIds = Object.entries(tables)
			.filter(([name]) => name !== 'profiles')
			.flatMap(([name, { firstId, isCounted }]) =>
				firstId !== undefined && (isCounted || firstId > 1) ? [{ name, firstId }] : [],
			)
			.sort((one, other) => one.firstId - other.firstId);
		expect(firstIds.length).toBeGreaterThan(10);
		expectNone(
			firstIds
				.slice(1)
				.flatMap(({ name, firstId }, index) =>
					firstId - firstIds[index].firstId < MIN_DISTANCE
						? [
								`sandbox/resources: "${name}" begin at ${firstId} and "${firstIds[index].name}" at ${firstIds[index].firstId}; choose a "firstId" that is ${MIN_DISTANCE} away from all others`,
							]
						: [],
				),
		);
	});

	test('a change of any of them makes another version of a data folder, a change of its layout none', () => {
		const { tags, ...others } = tables;
		const version = versionOf(tables);
		expect(versionOf({ ...tables, tags: { ...tags, columns: `${tags.columns}, more TEXT` } })).not.toBe(
			version,
		);
		expect(versionOf({ ...tables, tags: { ...tags, indexes: [] } })).not.toBe(version);
		expect(versionOf(others)).not.toBe(version);
		expect(versionOf({ ...tables, tags: { ...tags, columns: ` ${tags.columns}\n\t` } })).toBe(version);
	});

	test('ids start over when the data is removed', () => {
		const store = openStore();
		const { id } = store.tags.create('First');
		store.clear();
		expect(store.tags.create('Second').id).toBe(id);
		store.close();
	});
});
