/** Which part of a list is wanted; without a limit, all that follows. */
export interface Window {
	offset: number;
	limit?: number;
}

/** A part of a list, and how many records the whole list has. */
export interface Slice<Item> {
	records: Item[];
	total: number;
}

/** The part of a list that is wanted. */
export const slice = <Item,>(
	all: Item[],
	{ offset, limit = all.length }: Window = { offset: 0 },
): Slice<Item> => ({
	records: all.slice(offset, offset + limit),
	total: all.length,
});

/** How records are kept and found. */
export interface Shape<Row> {
	/** Gives each record an `id`, counted from here; without it, each brings its key along. */
	firstId?: number;
	/** What records are known by, `id` by default. */
	key?: keyof Row & string;
	/** Members that records are looked up by. */
	by?: ReadonlyArray<keyof Row & string>;
	/** Whether the control plane says how many there are. */
	isCounted?: true;
}

type Key = number | string;

/** What all of a tenant's records are kept in. */
export interface Kept {
	/** Undefined where nobody needs the count. */
	readonly count: number | undefined;
	all(): unknown[];
	clear(): void;
}

/** Records of one kind, the oldest first. A record never changes: an update puts another one in its place. */
export class Table<Row extends object> implements Kept {
	private readonly rows = new Map<Key, Row>();

	private readonly lookUps: Map<keyof Row, Map<unknown, Set<Key>>>;

	/** The same as `rows`, until something comes or goes. */
	private list: Row[] | undefined;

	private lastId = 0;

	constructor(private readonly shape: Shape<Row>) {
		this.lookUps = new Map((shape.by ?? []).map((member) => [member, new Map()]));
		this.clear();
	}

	get count(): number | undefined {
		return this.shape.isCounted && this.rows.size;
	}

	all(): Row[] {
		return (this.list ??= [...this.rows.values()]);
	}

	find(key: Key): Row | undefined {
		return this.rows.get(key);
	}

	/** Those that have this value, the oldest first. */
	by<Name extends keyof Row>(member: Name, value: Row[Name]): Row[] {
		const keys = this.lookUps.get(member)?.get(value) ?? [];
		return [...keys].flatMap((key) => this.rows.get(key) ?? []);
	}

	insert(fields: Row extends { id: number } ? Omit<Row, 'id'> : Row): Row {
		const { firstId, key = 'id' } = this.shape;
		const row = (firstId === undefined ? { ...fields } : { id: 0, ...fields }) as unknown as Row & {
			id: Key;
		};
		if (firstId !== undefined) row.id = ++this.lastId;
		this.put((row as Record<string, Key>)[key], row);
		return row;
	}

	/** Changes the members that are given; those that are undefined stay. */
	update(key: Key, fields: Partial<Row>): Row | undefined {
		const row = this.rows.get(key);
		if (!row) return undefined;
		const changed = { ...row };
		for (const name in fields) if (fields[name] !== undefined) changed[name] = fields[name];
		this.put(key, changed);
		return changed;
	}

	/** @returns what was deleted, if there was such a record */
	delete(key: Key): Row | undefined {
		const row = this.rows.get(key);
		if (!row) return undefined;
		this.list = undefined;
		this.rows.delete(key);
		for (const [member, keys] of this.lookUps) keys.get(row[member])?.delete(key);
		return row;
	}

	clear(): void {
		this.rows.clear();
		this.list = undefined;
		for (const keys of this.lookUps.values()) keys.clear();
		this.lastId = (this.shape.firstId ?? 1) - 1;
	}

	private put(key: Key, row: Row): void {
		const before = this.rows.get(key);
		this.list = undefined;
		this.rows.set(key, row);
		for (const [member, keys] of this.lookUps) {
			if (before?.[member] === row[member]) continue;
			if (before) keys.get(before[member])?.delete(key);
			keys.set(row[member], (keys.get(row[member]) ?? new Set()).add(key));
		}
	}
}

/** Which records of one kind belong to which of another: tags of profiles, users of customers. */
export class Links implements Kept {
	readonly count = undefined;

	private readonly sets = new Map<number, Set<number>>();

	/** The IDs that belong to an owner, the lowest first. */
	of(owner: number): number[] {
		return [...(this.sets.get(owner) ?? [])].sort((one, other) => one - other);
	}

	/** The owners of an ID, the lowest first. */
	owners(id: number): number[] {
		const found = [...this.sets].filter(([, ids]) => ids.has(id)).map(([owner]) => owner);
		return found.sort((one, other) => one - other);
	}

	has(owner: number, id: number): boolean {
		return this.sets.get(owner)?.has(id) ?? false;
	}

	add(owner: number, id: number): void {
		this.sets.set(owner, (this.sets.get(owner) ?? new Set()).add(id));
	}

	/** @returns whether it belonged to the owner */
	delete(owner: number, id: number): boolean {
		return this.sets.get(owner)?.delete(id) ?? false;
	}

	/** Makes these all that belongs to an owner. */
	sync(owner: number, ids: number[]): void {
		this.sets.set(owner, new Set(ids));
	}

	/** For an ID that is gone. */
	forget(id: number): void {
		for (const ids of this.sets.values()) ids.delete(id);
	}

	/** For an owner who is gone. */
	forgetOwner(owner: number): void {
		this.sets.delete(owner);
	}

	all(): Array<[owner: number, id: number]> {
		return [...this.sets].flatMap(([owner, ids]) => [...ids].map((id): [number, number] => [owner, id]));
	}

	clear(): void {
		this.sets.clear();
	}
}
