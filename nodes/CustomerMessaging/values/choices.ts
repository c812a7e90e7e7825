import { type Conversion, ValueProblem } from './conversion';
import { shown } from './text';

/** One of a few values. */
export function oneOf<const Value extends string>(...values: Value[]): Conversion<Value> {
	return (value) =>
		values.find((one) => one === value) ??
		new ValueProblem(`is "${shown(value)}", which cannot be chosen`, `Choose one of ${values.join(', ')}.`);
}
