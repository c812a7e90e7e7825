import { plainText } from './numbers';

// Amounts of money are counted in whole units, since binary fractions add up to 0.30000000000000004.

/** Decimal places of the smallest unit. Prices of messages have up to six. */
const PLACES = 10;

/** Returns an amount of money, which is not negative, in the smallest units. */
export function unitsOf(amount: number): bigint {
	const [whole, fraction = ''] = plainText(amount).split('.');
	return BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
}

/** Returns the amount of smallest units, which are not negative, in decimal notation. */
export function decimalOf(units: bigint): string {
	const digits = String(units).padStart(PLACES + 1, '0');
	return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`.replace(/\.?0+$/, '');
}
