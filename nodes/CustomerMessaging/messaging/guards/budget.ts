import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../../runner/field';
import { itemContextsOf } from '../../runner/itemContext';
import type { Item } from '../../runner/operation';
import { noteOutcome, ofRun } from '../../transport/nodeRun';
import { decimalOf, unitsOf } from '../../values/numbers';
import { shown } from '../../values/text';
import { templateSearchOf } from '../preview/templateDirectory';
import { priceOf } from '../preview/templatePrice';
import { budget } from '../sendingOptions';
import type { TemplateBody } from '../template/templateChoice';
import { templateCategory } from '../template/templateRecord';
import { type Claim, skip } from './claim';

/** What the messages of a node cost in one currency, over all of its runs in an execution. */
class Account {
	private held = 0n;

	private readonly waiting: Array<() => void> = [];

	paid = 0;
	skipped = 0;

	/** @param spent by currency; n8n keeps it with the execution, so it is text */
	constructor(
		private readonly spent: IDataObject,
		readonly currency: string,
	) {}

	get sum(): bigint {
		return BigInt((this.spent[this.currency] as string | undefined) ?? 0);
	}

	/** Reserves a price. While it depends on messages under way, it waits for them. @returns whether it fits */
	async reserve(price: bigint, amount: bigint): Promise<boolean> {
		while (this.sum + price <= amount && this.sum + this.held + price > amount)
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		if (this.sum + price > amount) return false;
		this.held += price;
		return true;
	}

	settle(price: bigint, isPaid: boolean): void {
		this.held -= price;
		if (isPaid) {
			this.spent[this.currency] = String(this.sum + price);
			this.paid++;
		}
		for (const goOn of this.waiting.splice(0)) goOn();
	}

	async tell(context: ItemContext): Promise<void> {
		const sum = `${decimalOf(this.sum)} ${shown(this.currency)} are spent`;
		if (this.paid > 0) await noteOutcome(context, `were paid from the budget: ${sum}`, this.paid);
		if (this.skipped > 0)
			await noteOutcome(context, `were skipped, because the budget does not suffice: ${sum}`, this.skipped);
		this.paid = this.skipped = 0;
	}
}

/** Returns the account of the node. The hints of a run tell its sum after the last item. */
async function accountOf(context: ItemContext, currency: string): Promise<Account> {
	const accounts = await ofRun(context, budget, () => new Map<string, Account>());
	const known = accounts.get(currency);
	if (known) return known;
	const kept = context.getContext('node') as { budgetSpent?: IDataObject };
	const account = new Account((kept.budgetSpent ??= {}), currency);
	accounts.set(currency, account);
	itemContextsOf(context)?.atEnd.push(async () => {
		await account.tell(context);
		accounts.delete(currency);
	});
	return account;
}

/** Returns the claim of a message to its price; undefined without a budget. It has to be the last claim, since it waits. */
export function budgetClaim(
	{ context, read, shows, request: { body } }: Item<typeof budget, TemplateBody>,
	digitsOf: () => Promise<string | undefined>,
): Claim | undefined {
	if (!shows(budget)) return undefined;
	const { amount: limit, currency: typed, unknownPrices } = read(budget);
	const amount = unitsOf(limit);
	const currency = typed.toUpperCase();
	let settle: ((isPaid: boolean) => void) | undefined;
	return {
		option: budget.parameter.displayName,
		async take() {
			const { template_name: name = '', template_language: language = '' } = body;
			const find = await templateSearchOf(context);
			const record = find?.(context, name, language).record;
			const { price, reason } = await priceOf(
				context,
				await digitsOf(),
				record ? templateCategory(record) : '',
			);
			if (!price) {
				if (unknownPrices === 'allow') return undefined;
				return skip(
					`The price of the message is unknown: ${reason}`,
					'were skipped, because their price is unknown',
				);
			}
			if (price.currency.toUpperCase() !== currency)
				return skip(
					`The price of the message is in ${shown(price.currency)}, the budget in ${shown(typed)}`,
					'were skipped, because their price is in another currency than the budget',
				);
			const account = await accountOf(context, currency);
			const units = unitsOf(price.amount);
			if (await account.reserve(units, amount)) {
				settle = (isPaid) => account.settle(units, isPaid);
				return undefined;
			}
			account.skipped++;
			const of = `${decimalOf(amount)} ${shown(typed)}`;
			return skip(
				`The budget of ${of} does not suffice: ${decimalOf(account.sum)} are spent, the message costs ${decimalOf(units)}`,
			);
		},
		keep: () => settle?.(true),
		release: () => settle?.(false),
	};
}
