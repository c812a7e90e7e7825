import { customers } from '../sets/idSets';
import { setting } from '../core/field';
import { boolean } from '../values/choices';
import { InvalidValue, type Parse } from '../values/parse';
import { divided, idElement, recordId, setOfIds, titleList } from '../values/ids';
import { isObject } from '../values/json';
import { integerFrom } from '../values/numbers';
import { isBlank } from '../values/text';

/** Parses titles that may be missing: without any, the result is empty, or null for a blank value. */
const optionalTitles: Parse<string | null> = (value, reading) => {
	if (isBlank(value)) return null;
	const isEmpty = typeof value === 'string' && divided(value, reading?.separator).length === 0;
	return isEmpty ? '' : titleList(value, reading);
};

export const tags = setting(
	'additionalFields.tags',
	optionalTitles,
	{
		placeholder: 'e.g. VIP, Newsletter',
		description: 'Titles of tags, separated by commas; new ones are created',
	},
	'profile.tags',
);

/** Whether a write of a customer returns its IDs. The answers of the interface do not tell them. */
export const returnIds = setting('options.returnIds', boolean, {
	type: 'boolean',
	description: 'Whether to look up customer_id and profile_id by the phone number',
});

/** Parses an ID, or the record of a customer. A record that names another customer, such as a profile, has an ID of its own. */
const customerElement: Parse<number> = (element) => {
	const id = idElement(element);
	const owner = isObject(element) ? recordId(element.customer_id) : undefined;
	if (owner === undefined || owner === id) return id;
	throw new InvalidValue(
		`contains a record with the ID ${id} that belongs to customer ${owner}, such as a profile`,
		'Use the ID of the customer, e.g. {{ $json.customer_id }}.',
	);
};

export const customerIds = setting(
	'customerIds',
	setOfIds(customerElement),
	{ ...customers, required: true },
	'ids',
);

export const confirmedCount = setting('confirmedCount', integerFrom(0), {
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'How many customers you expect to delete; only needed for more than 1,000, over all input items together',
});
