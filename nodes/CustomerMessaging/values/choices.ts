import { type Conversion, ValueProblem } from './conversion';
import { shown } from './text';

/** Makes a conversion that accepts only these values. */
export function oneOf<const Value extends string>(...values: Value[]): Conversion<Value> {
	return (value) =>
		values.find((one) => one === value) ??
		new ValueProblem(`is "${shown(value)}", which cannot be chosen`, `Choose one of ${values.join(', ')}.`);
}
