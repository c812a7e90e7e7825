/** Counts visits of the members of an object and of all objects below it, however it is read. */
export class CountedVisits {
	count = 0;

	private readonly known = new WeakMap<object, object>();

	/** Makes a view of a value. Looking at a member of it counts. */
	view<Value>(value: Value): Value {
		if (typeof value !== 'object' || value === null) return value;
		const known = this.known.get(value);
		if (known) return known as Value;
		const visit = () => void this.count++;
		const view = new Proxy(value, {
			get: (target, name, receiver) => {
				visit();
				return this.view(Reflect.get(target, name, receiver) as unknown);
			},
			getOwnPropertyDescriptor: (target, name) => {
				visit();
				return Reflect.getOwnPropertyDescriptor(target, name);
			},
			has: (target, name) => {
				visit();
				return Reflect.has(target, name);
			},
		});
		this.known.set(value, view);
		return view;
	}
}
