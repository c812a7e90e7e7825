import { type INodeProperties, UserError } from 'n8n-workflow';

import { ValueProblem } from '../values/conversion';
import { jsonObject } from '../values/json';
import { integerFrom } from '../values/numbers';
import { isBlank } from '../values/text';

/** The limits for requests to a tenant. */
interface RequestLimits {
	/** Maximum number of requests in flight. */
	maximumInFlight: number;
	/** Maximum number of attempts for one request. */
	maximumTries: number;
	/** Milliseconds to wait between the pages of a list. */
	pageDelay: number;
	/** Maximum seconds for all attempts of one request, including waiting. */
	tryForSeconds: number;
}

interface Limit {
	min: number;
	max: number;
	default: number;
}

const LIMITS: Record<keyof RequestLimits, Limit> = {
	maximumInFlight: { min: 1, max: 200, default: 40 },
	maximumTries: { min: 1, max: 50, default: 10 },
	pageDelay: { min: 0, max: 60_000, default: 0 },
	tryForSeconds: { min: 1, max: 3600, default: 120 },
};

const NAMES = Object.keys(LIMITS) as Array<keyof RequestLimits>;

const EXAMPLE = '{ "maximumInFlight": 20 }';

const LABEL = 'Request Limits';

/**
 * The limits in the credential of a tenant, because they depend on the tenant and not on the node. They are JSON,
 * because n8n's form for credentials does not display collections.
 */
export const requestLimits: INodeProperties = {
	displayName: LABEL,
	name: 'requestLimits',
	type: 'json',
	default: '{}',
	placeholder: `e.g. ${EXAMPLE}`,
	description: `How much is asked of the tenant at once and how long it is tried, as a JSON object with any of these: ${NAMES.map(
		(name) => `${name} (${LIMITS[name].default})`,
	).join(', ')}`,
};

const object = jsonObject(EXAMPLE);

function limitError({ problem, remedy }: ValueProblem): UserError {
	return new UserError(`${LABEL} ${problem}`, { description: `${remedy} The limits are in the credential.` });
}

/**
 * Reads the limits of a credential.
 *
 * @param given value of `requestLimits`; missing limits get their defaults
 * @throws UserError when a limit does not exist, or is not a whole number within its bounds
 */
export function requestLimitsOf(given: unknown): RequestLimits {
	const values = isBlank(given) ? {} : object(given);
	if (values instanceof ValueProblem) throw limitError(values);
	const unknown = Object.keys(values).find((name) => !Object.hasOwn(LIMITS, name));
	if (unknown !== undefined) {
		throw limitError(new ValueProblem(`have no "${unknown}"`, `They have ${NAMES.join(', ')}.`));
	}
	const limits = NAMES.map((name) => {
		const { min, max, default: usual } = LIMITS[name];
		const value = integerFrom(min, max)(values[name] ?? usual);
		if (value instanceof ValueProblem) {
			throw limitError(new ValueProblem(`cannot be used: ${name} ${value.problem}`, value.remedy));
		}
		return [name, value] as const;
	});
	return Object.fromEntries(limits) as Record<keyof RequestLimits, number>;
}
