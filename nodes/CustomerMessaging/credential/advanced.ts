import { type IHttpRequestOptions, type INodeProperties, UserError } from 'n8n-workflow';

import { boolean } from '../values/choices';
import { type Conversion, ValueProblem } from '../values/conversion';
import { isObject } from '../values/json';
import { integerFrom } from '../values/numbers';
import { isBlank, stringOf } from '../values/text';

type Proxy = NonNullable<IHttpRequestOptions['proxy']>;

/** How the requests to a tenant are connected. */
export interface Connection {
	/** Maximum milliseconds until a response has come to its end. A file may take longer. */
	timeout: number;
	proxy?: Proxy;
	skipSslCertificateValidation?: true;
}

/** The limits for requests to a tenant, and how they are connected. */
interface Advanced {
	maximumInFlight: number;
	/** Maximum number of attempts for one request. */
	maximumTries: number;
	/** Milliseconds to wait between the pages of a list. */
	pageDelay: number;
	/** Maximum seconds for all attempts of one request, including waiting. */
	tryForSeconds: number;
	connection: Connection;
}

const NO_PROXY = new ValueProblem(
	'is not the address of an HTTP proxy',
	'Enter it with its scheme and port, e.g. http://127.0.0.1:3128.',
);

/**
 * Converts the address of a proxy. The problem does not repeat it, because it can contain a password. n8n would write an
 * address with another scheme to its log, and would send the request without a proxy.
 */
const proxyAddress: Conversion<Proxy> = (value) => {
	try {
		const { hostname, port, protocol, username, password } = new URL(stringOf(value).trim());
		if (protocol !== 'http:' && protocol !== 'https:') return NO_PROXY;
		return {
			host: hostname,
			port: Number(port || (protocol === 'https:' ? 443 : 80)),
			protocol: protocol.slice(0, -1),
			...(username && {
				auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
			}),
		};
	} catch {
		return NO_PROXY;
	}
};

/** A field of the collection, and the conversion of its value. */
interface Field<T> {
	property: INodeProperties;
	conversion: Conversion<T>;
}

/** Makes the field for a whole number within bounds. */
const wholeNumber = (
	minValue: number,
	maxValue: number,
	property: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & { default: number },
): Field<number> => ({
	property: { ...property, type: 'number', typeOptions: { minValue, maxValue } },
	conversion: integerFrom(minValue, maxValue),
});

/** The fields, in the order of the form. */
const FIELDS = {
	allowUnauthorizedCerts: {
		property: {
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
		},
		conversion: boolean,
	} satisfies Field<boolean>,
	maximumInFlight: wholeNumber(1, 200, {
		displayName: 'Maximum in Flight',
		name: 'maximumInFlight',
		default: 40,
		description: 'How many requests to the service may be under way at once',
	}),
	maximumTries: wholeNumber(1, 50, {
		displayName: 'Maximum Tries',
		name: 'maximumTries',
		default: 10,
		description: 'How often one request is sent at most',
	}),
	pageDelay: wholeNumber(0, 60_000, {
		displayName: 'Page Delay (Ms)',
		name: 'pageDelay',
		default: 0,
		description: 'How many milliseconds to wait between the pages of a list',
	}),
	proxy: {
		property: {
			displayName: 'Proxy',
			name: 'proxy',
			type: 'string',
			default: '',
			placeholder: 'e.g. http://127.0.0.1:3128',
			description: 'The HTTP proxy to use, with user and password in the address if it needs them',
		},
		conversion: proxyAddress,
	} satisfies Field<Proxy>,
	timeout: wholeNumber(1, 86_400_000, {
		displayName: 'Timeout (Ms)',
		name: 'timeout',
		default: 300_000,
		description:
			'How many milliseconds one try of a request may take. A file may take an hour, and the editor waits for 30 seconds at most.',
	}),
	tryForSeconds: wholeNumber(1, 3600, {
		displayName: 'Try For (Seconds)',
		name: 'tryForSeconds',
		default: 120,
		description: 'How long after it was asked for a request may be sent or repeated',
	}),
};

/** The name under which n8n keeps the fields within the collection. */
const SETTINGS = 'settings';

/**
 * What is set for all requests to a tenant, because it depends on the tenant and not on the node. It is a fixed
 * collection, because n8n's form for credentials does not display the fields of a plain one.
 */
export const advanced: INodeProperties = {
	displayName: 'Advanced',
	name: 'advanced',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Add Settings',
	description: 'Only if the defaults do not fit the service',
	options: [
		{
			displayName: 'Settings',
			name: SETTINGS,
			values: Object.values(FIELDS).map(({ property }) => property),
		},
	],
};

/**
 * Reads the collection *Advanced* of a credential.
 *
 * @param given value of `advanced`; missing fields get their defaults
 * @throws UserError that names the field, if its value is unusable
 */
export function advancedOf(given: unknown): Advanced {
	const collection = isObject(given) ? given[SETTINGS] : undefined;
	const values = isObject(collection) ? collection : {};

	function read<T>({ conversion, property: { displayName, name, default: usual } }: Field<T>): T {
		if (isBlank(values[name])) return usual as T;
		const value = conversion(values[name]);
		if (!(value instanceof ValueProblem)) return value;
		throw new UserError(`In the credential, ${displayName} ${value.problem}`, {
			description: `${value.remedy} The field is under Advanced.`,
		});
	}

	return {
		maximumInFlight: read(FIELDS.maximumInFlight),
		maximumTries: read(FIELDS.maximumTries),
		pageDelay: read(FIELDS.pageDelay),
		tryForSeconds: read(FIELDS.tryForSeconds),
		connection: {
			timeout: read(FIELDS.timeout),
			...(!isBlank(values.proxy) && { proxy: read(FIELDS.proxy) }),
			...(read(FIELDS.allowUnauthorizedCerts) && { skipSslCertificateValidation: true }),
		},
	};
}
