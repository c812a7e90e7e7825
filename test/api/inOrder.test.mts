import { TenantInMemory } from '../context/tenantInMemory.mts';
import { settled } from '../context/virtualTime.mts';

const tenant = TenantInMemory.inEachTest();

/** A record of this test: works that do not end hold theirs. */
let record = 0;
beforeEach(() => record++);

/** Works that end when the test says so. */
class Works {
	/** Those that have begun and not ended, by name. */
	readonly inside: string[] = [];

	private readonly ends = new Map<string, (error?: Error) => void>();

	constructor(private readonly run = tenant.run()) {}

	/** Asks for its turn, and lets everything happen that can happen. */
	async ask(name: string, key = `/profiles/${record}/tags`): Promise<{ result: Promise<string> }> {
		const result = this.run().api.inOrder(key, async () => {
			this.inside.push(name);
			await new Promise<void>((resolve, reject) =>
				this.ends.set(name, (error) => (error ? reject(error) : resolve())),
			);
			return `result of ${name}`;
		});
		result.catch(() => {});
		await settled();
		return { result };
	}

	async end(name: string, error?: Error): Promise<void> {
		this.inside.splice(this.inside.indexOf(name), 1);
		this.ends.get(name)?.(error);
		await settled();
	}
}

it('works on one record come one after another, whenever they ask', async () => {
	const works = new Works();
	for (const name of ['a', 'b', 'c']) await works.ask(name);
	expect(works.inside).toEqual(['a']);
	await works.end('a');
	// Who comes now must not find the lock free because the first has left.
	await works.ask('d');
	expect(works.inside).toEqual(['b']);
	await works.end('b');
	await works.ask('e');
	for (const name of ['c', 'd', 'e']) {
		expect(works.inside).toEqual([name]);
		await works.end(name);
	}
	expect(works.inside).toEqual([]);
	await works.ask('f');
	expect(works.inside).toEqual(['f']);
});

it('a work behind one that failed is carried out, each with its own outcome', async () => {
	const works = new Works();
	const [{ result: first }, { result: second }, { result: third }] = [
		await works.ask('a'),
		await works.ask('b'),
		await works.ask('c'),
	];
	await works.end('a', new Error('No such profile'));
	expect(works.inside).toEqual(['b']);
	await works.end('b');
	await works.end('c', new Error('Not allowed'));
	await expect(first).rejects.toThrow('No such profile');
	await expect(second).resolves.toBe('result of b');
	await expect(third).rejects.toThrow('Not allowed');
	await works.ask('d');
	expect(works.inside).toEqual(['d']);
});

it('works on different records do not wait for each other', async () => {
	const works = new Works();
	for (const name of ['a', 'b', 'c']) await works.ask(name, `/profiles/${name}/tags`);
	expect(works.inside).toEqual(['a', 'b', 'c']);
});

describe('works of several runs', () => {
	const worksOf = (tenantDomain?: string, user?: string) => new Works(tenant.run({ tenantDomain, user }));

	it('come one after another whoever asks', async () => {
		const [one, other, third] = [worksOf(), worksOf(), worksOf(undefined, 'another')];
		for (const [works, name] of [
			[one, 'a'],
			[other, 'b'],
			[third, 'c'],
			[one, 'd'],
		] as const)
			await works.ask(name);
		expect([one.inside, other.inside, third.inside]).toEqual([['a'], [], []]);
		await one.end('a', new Error('Not allowed'));
		expect([one.inside, other.inside, third.inside]).toEqual([[], ['b'], []]);
		await other.end('b');
		await third.end('c');
		expect([one.inside, other.inside, third.inside]).toEqual([['d'], [], []]);
		await one.end('d');
	});

	it('do not wait for those of another tenant, nor for other records', async () => {
		const [one, other] = [worksOf(), worksOf('other.example')];
		await one.ask('a');
		await one.ask('b', `/profiles/${record}/groups`);
		await other.ask('c');
		expect([one.inside, other.inside]).toEqual([['a', 'b'], ['c']]);
		for (const [works, name] of [
			[one, 'a'],
			[one, 'b'],
			[other, 'c'],
		] as const)
			await works.end(name);
	});
});
