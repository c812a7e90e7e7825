import { type Conversion, ValueProblem } from './conversion';
import { plainText } from './numbers';
import { shown } from './text';

/** Makes a conversion of decimal degrees to text. It keeps the digits of a text as they are. */
function degrees(most: number): Conversion<string> {
	return (value) => {
		const typed = typeof value === 'number' && Number.isFinite(value) ? plainText(value) : value;
		const text = typeof typed === 'string' ? typed.trim() : '';
		return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most
			? text
			: new ValueProblem(
					`"${shown(value)}" is not a number of degrees between -${most} and ${most}`,
					'Enter decimal degrees with a point, e.g. 13.4050.',
				);
	};
}

export const latitudeDegrees = degrees(90);

export const longitudeDegrees = degrees(180);
