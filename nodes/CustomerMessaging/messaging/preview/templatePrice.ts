import { type IDataObject, NodeApiError } from 'n8n-workflow';

import type { ItemContext } from '../../runner/field';
import { readMap, unlessHidden } from '../../api/records';
import { nodeErrorOf } from '../../api/errors';
import { ValueProblem } from '../../values/conversion';
import { objectsOf } from '../../values/json';
import { number } from '../../values/numbers';
import { shown, stringOf } from '../../values/text';

/** The price of one template message ("Support" in the interface). */
export interface Price {
	amount: number;
	currency: string;
	category: string;
	market: string;
}

interface PriceList {
	/** Countries and regions by the digits of their calling code. */
	areas: Map<string, Array<[country: string, region: string]>>;
	prices: Map<string, IDataObject[]>;
}

const plain = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : '');

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
	const list = map.get(key) ?? [];
	list.push(value);
	map.set(key, list);
}

/** Returns the price list of the tenant, or why it cannot be read. It reads it once per run. */
const priceListOf = async (context: ItemContext) =>
	await context.api.once(priceListOf, async () => await readPrices(context));

async function readPrices(context: ItemContext): Promise<PriceList | string> {
	const reading = unlessHidden(readMap(context.api, 'GET /support/chatapp-pricing', {}));
	const answer = await reading.catch(async (error: unknown) => {
		const failure = nodeErrorOf(context, error);
		// A message without a price is better than none. Without an answer, there is no connection.
		if (failure instanceof NodeApiError && failure.httpCode) return failure.message;
		throw failure;
	});
	if (typeof answer === 'string') return `The price list cannot be read: ${answer}`;
	if (!answer) return 'The service does not show its price list';
	const list: PriceList = { areas: new Map(), prices: new Map() };
	for (const { calling_code: code, country, region } of objectsOf(answer.calling_codes)) {
		const digits = stringOf(code).replace(/\D/g, '');
		if (digits !== '') addTo(list.areas, digits, [plain(country), plain(region)]);
	}
	for (const row of objectsOf(answer.pricing)) {
		const market = plain(row.market);
		// Nobody is in a market without a name.
		if (market !== '') addTo(list.prices, market, row);
	}
	return list;
}

/** Returns the rows of the price list for a phone number, by its longest calling code. A country of its own comes before its region. */
function rowsFor({ areas, prices }: PriceList, digits: string): Array<IDataObject | undefined> {
	for (let length = digits.length; length > 0; length--) {
		const found = areas.get(digits.slice(0, length));
		if (found)
			return found.flatMap(([country, region]) => prices.get(country) ?? prices.get(region) ?? [undefined]);
	}
	return [];
}

const CATEGORIES = ['authentication', 'marketing', 'utility'];

const amountOf = (row: IDataObject, category: string): number | undefined => {
	const amount = row[category] === null ? undefined : number(row[category]);
	return amount === undefined || amount instanceof ValueProblem || amount < 0 ? undefined : amount;
};

/**
 * Returns the price of a template message for the digits of a phone number, by its calling code. It does not guess: if
 * the price list allows two prices, there is none.
 */
export async function priceOf(
	context: ItemContext,
	digits: string | undefined,
	category: string,
): Promise<{ price: Price | null; reason?: string }> {
	const none = (reason: string) => ({ price: null, reason });
	if (digits === undefined) return none('The phone number of the recipient is not known');
	if (category === '') return none('The service does not show the category of the template');
	if (!CATEGORIES.includes(category)) return none(`The price list has no category "${shown(category)}"`);
	const list = await priceListOf(context);
	if (typeof list === 'string') return none(list);
	const rows = rowsFor(list, digits);
	if (rows.length === 0) return none('The price list has no calling code of this phone number');
	const found = new Map<string, Price>();
	for (const row of rows) {
		const amount = row && amountOf(row, category);
		const currency = typeof row?.currency === 'string' ? row.currency.trim() : '';
		if (!row || amount === undefined || currency === '')
			return none(`The price list has no price of category ${category} for this calling code`);
		const abroad = category === 'authentication' ? amountOf(row, 'authentication_international') : undefined;
		if (abroad !== undefined && abroad !== amount) {
			return none(
				`The price list has two prices for authentication, ${amount} and, as international, ${abroad} ${currency}. It does not tell which one counts`,
			);
		}
		const key = `${amount} ${currency}`;
		const markets = [found.get(key)?.market, stringOf(row.market).trim()].filter((one) => one !== undefined);
		found.set(key, { amount, currency, category, market: [...new Set(markets)].join(' or ') });
	}
	const [price, other] = found.values();
	return other
		? none(
				`The calling code of this phone number belongs to ${shown(price.market)} and to ${shown(other.market)}`,
			)
		: { price };
}

/** Decimal places of a sum, since binary fractions add up to 0.30000000000000004. */
const SUM_PLACES = 10;

export function sumOf(prices: Price[]): Array<{ currency: string; amount: number }> {
	const sums = new Map<string, number>();
	for (const { currency, amount } of prices)
		sums.set(currency, Number(((sums.get(currency) ?? 0) + amount).toFixed(SUM_PLACES)));
	return Array.from(sums, ([currency, amount]) => ({ currency, amount }));
}
