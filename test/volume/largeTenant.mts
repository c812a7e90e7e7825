import type { IDataObject } from 'n8n-workflow';

import { OddTenant } from '../engine/oddTenant.mts';

export interface LargeProfile extends IDataObject {
	id: number;
	custom_1: string | null;
	created_at: string;
	updated_at: string;
}

const FIRST_ID = 102;

/** Long ago, so that the clock of n8n is not behind it. */
const START = Date.parse('2021-05-06T07:08:09Z');

/** A tenant with so many profiles that each page has to be made from memory. */
export class LargeTenant {
	profiles: LargeProfile[] = [];

	/** Whether `order_by` counts. */
	sorts = true;

	/** Whether profiles show when they changed. */
	showsTimes = true;

	/** Called with the number of each request before it is answered. */
	beforeAnswer: (asked: number) => void = () => {};

	private now = START;

	private sorted = new Map<string, LargeProfile[]>();

	private constructor(readonly odd: OddTenant) {}

	/** Requests since the last call. */
	asked(): number {
		return this.odd.asked.splice(0).length;
	}

	fill(count: number): void {
		this.profiles = [];
		this.add(count);
		this.pass();
	}

	add(count: number): void {
		const now = new Date(this.now).toISOString();
		const from = FIRST_ID + this.profiles.length;
		const added = Array.from({ length: count }, (_, index) => ({
			id: from + index,
			name: `Person ${from + index}`,
			email: `person.${from + index}@mail.example`,
			custom_1: null,
			marketing_opt_in: index % 3 === 0 ? 1 : null,
			created_at: now,
			updated_at: now,
		}));
		this.profiles.push(...added);
		this.sorted.clear();
	}

	/** Changes profiles, all in the same moment. */
	change(from: number, count: number, value: string): void {
		const updated_at = new Date(this.now).toISOString();
		for (const profile of this.profiles.slice(from, from + count))
			Object.assign(profile, { custom_1: value, updated_at });
		this.sorted.clear();
	}

	delete(id: number): void {
		this.profiles = this.profiles.filter((profile) => profile.id !== id);
		this.sorted.clear();
	}

	pass(seconds = 120): void {
		this.now += seconds * 1000;
	}

	static inEachTest(): LargeTenant {
		const odd = OddTenant.inEachTest();
		const tenant = new LargeTenant(odd);
		beforeEach(() => {
			Object.assign(tenant, { sorts: true, showsTimes: true, beforeAnswer: () => {} });
			odd.answer((request, reply) => {
				void reply.header('date', new Date(tenant.now).toUTCString());
				tenant.beforeAnswer(odd.asked.length);
				return tenant.page(request.query as Record<string, string>, request.url);
			});
		});
		return tenant;
	}

	private page({ page = '1', per_page: perPage = '100', order_by: order = '' }, url: string) {
		if (url.includes('/activities')) return { data: [] };
		const all = this.inOrder(this.sorts ? order : '');
		const size = Number(perPage);
		const from = (Number(page) - 1) * size;
		const data = all
			.slice(from, from + size)
			.map(({ created_at, updated_at, ...others }) =>
				this.showsTimes ? { ...others, created_at, updated_at } : others,
			);
		const last = Math.ceil(all.length / size);
		return { data, meta: { current_page: Number(page), last_page: last, total: all.length } };
	}

	private inOrder(order: string): LargeProfile[] {
		if (order === '') return this.profiles;
		const known = this.sorted.get(order);
		if (known) return known;
		const fields = order.split(',').map((part) => part.split(':'));
		const sorted = [...this.profiles].sort((a, b) => {
			for (const [field, direction] of fields) {
				const [x, y] = [a[field] as string, b[field] as string];
				if (x !== y) return x < y === (direction === 'asc') ? -1 : 1;
			}
			return 0;
		});
		this.sorted.set(order, sorted);
		return sorted;
	}
}
