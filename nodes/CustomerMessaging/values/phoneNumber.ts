import { InvalidValue, orUndefinedIfInvalid, type Parse } from './parse';
import { isBlank, quote, stringOf, text } from './text';

/** Marks of the writing direction, and spaces without a width, which address books copy with a number. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const PHONE_FORMAT = 'Use the international format with country code, e.g. +49 171 1234567.';

/**
 * The calling codes behind which a 0 may belong to the number. Behind all others it is a prefix that is only dialled
 * within the country.
 */
const WITH_ZERO = new Set([
	'39', // Italy and the Vatican write area codes with their 0.
	'378', // San Marino has the area code 0549.
	'47', // Norway has numbers of companies such as 07393.
	'225', // Ivory Coast begins mobile numbers with 01, 05 and 07,
	'226', // Burkina Faso with 0,
	'229', // Benin with 01,
	'241', // Gabon with 06 and 07,
	'242', // Congo with 04, 05 and 06,
	'992', // and Tajikistan with 00 to 09.
	'247', // Ascension and
	'250', // Rwanda have other numbers that begin with 0.
	...['800', '881', '888'], // These are of no country.
]);

/** The calling codes with less than three digits (ITU-T E.164). All others have three. */
const SHORT_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling codes whose numbers have 11 digits with the code: North America, Russia and Kazakhstan. */
const ELEVEN_DIGITS = /^[17]/;

/** A prefix that is dialled within a country, and the beginnings that no calling code has. */
const NO_COUNTRY = /^(?:0|28|83|89)/;

/** A sign that a country code follows. Without it, only plain digits are an international number. */
const INTERNATIONAL = /^\W*(\+|00|tel:)/i;

/** By calling code, what is only dialled within a country, where this is more than a 0 behind the code. */
const TRUNKS: Partial<Record<string, RegExp>> = {
	1: /^(?:0+|1(?=\d{10}$))/,
	7: /^(?:0+|8(?=\d{10}$))/, // Russia and Kazakhstan
	36: /^06?(?=\d)/, // Hungary
	52: /(?<=^1?)0(?:(?:1|4[45])?(?=\d{10}$)|0*)/, // Mexico, also behind the 1 of mobile numbers
	54: /(?<=^9?)0+|(?<=^9?(?=\d{12}$)\d{2,4})15/, // Argentina, also behind the 9 and the area code
	370: /^(?:0+|8(?=\d{8}$))/, // Lithuania
	375: /^(?:0+|80?(?=\d{9}$))/, // Belarus
	992: /^8(?=\d{9}$)/, // Tajikistan
	993: /^(?:0+|8(?=\d{8}$))/, // Turkmenistan
	998: /^(?:0+|8(?=\d{9}$))/, // Uzbekistan
};

/** Parses a country code to its digits, or a blank value to an empty text. */
export const countryCode: Parse<string> = (value) => {
	const [, digits] = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(stringOf(value).trim()) ?? [];
	if (digits !== undefined || isBlank(value)) return digits ?? '';
	throw new InvalidValue(`"${quote(value)}" is not a country code`, 'Enter its digits, e.g. 49 for Germany.');
};

interface Written {
	digits: string;
	/** The country code. */
	code: string;
	/** What is not dialled from abroad and comes first of that; an empty text if there is nothing. */
	trunk: string;
	/** The number without it. */
	meant: string;
}

/** Finds what is not dialled from abroad in the digits of an international number. */
function withoutTrunk(digits: string): Written {
	const code = SHORT_CODE.exec(digits)?.[0] ?? digits.slice(0, 3);
	const pattern = TRUNKS[code] ?? (WITH_ZERO.has(code) ? undefined : /^0+/);
	const rest = digits.slice(code.length);
	const [trunk] = pattern?.exec(rest) ?? [];
	if (!pattern || !trunk) return { digits, code, trunk: '', meant: digits };
	return { ...withoutTrunk(code + rest.replace(pattern, '')), digits, trunk };
}

/**
 * Returns the international digits of a number that is written as within a country: with one 0 in front, or else not with its code
 * in front and in groups or at most ten digits. Longer digits are international, so that a mixed list is not spoiled.
 */
function withCountry(digits: string, code: string, isInGroups: boolean): string {
	const isNational = digits.startsWith('0')
		? !digits.startsWith('00')
		: !digits.startsWith(code) && (isInGroups || digits.length <= 10);
	return isNational ? withoutTrunk(code + digits).meant : digits;
}

const noNumber = (value: unknown, problem = 'is not a phone number', remedy = PHONE_FORMAT) =>
	new InvalidValue(`"${quote(value)}" ${problem}`, remedy);

/** A number as Excel shows it in a narrow column, and then saves it. */
const SHORTENED = /^\d[.,]?\d*E\+?\d+$/i;

const REMEDY_OF_SHORTENED =
	'Format the column as a number without decimals, and save the file again from the original.';

/** From 7 to 15 digits (ITU-T E.164). */
const NUMBER = /^\d{7,15}$/;

/** What makes one number several: what follows a whole one in parentheses, such as another end, and lines, also in a cell. */
const SEVERAL = /^(?:\D*\d){7}[^]*\([^()]*\)$|[\r\n\v\f\u2028\u2029]/;

const ARE_SEVERAL = 'may be several phone numbers; split it, so that each item has one';

/** Whether the one slash of a number stands behind an area code of at most five digits, as in `+49 171 / 1234567`. */
function endsAreaCode(typed: string, { digits, code }: Written): boolean {
	const [, after = '', ...more] = typed.split('/');
	const length = after.replace(/\D/g, '').length;
	return more.length === 0 && digits.length - length - code.length <= 5 && length >= 5;
}

/**
 * Reads a number in any usual writing. Several in one text, without what divides them, would be the number of a stranger.
 *
 * @param isStored whether the service has stored the number, which is international without a sign of it
 * @param country code of numbers without one
 */
function readNumber(value: unknown, isStored = false, country = ''): Written & { typed: string } {
	// Nothing that follows changes a number of digits alone, as databases have them, and 10,000 of them take their time.
	const isPlain = typeof value === 'string' && NUMBER.test(value) && !NO_COUNTRY.test(value);
	if (isPlain && (value.length >= 11 || (country === '' && !ELEVEN_DIGITS.test(value))))
		return { typed: value, ...withoutTrunk(value) };
	if (typeof value !== 'string' && typeof value !== 'number') throw noNumber(value);
	if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0)) throw noNumber(value);
	const typed = String(value)
		.replace(INVISIBLE, '')
		.trim()
		.replace(/^(tel:|')/i, '')
		.replace(/^(\+?\d{7,})\.0+$/, '$1');
	const marked = typed
		.replace(/^(\(?(?:\+|00)?\s?(\d{1,5})\)?[\s./-]*)\(0\)/, (_, before: string, code: string) =>
			WITH_ZERO.has(code) ? `${before}0` : before,
		)
		// Elsewhere it is no prefix, and a 0 within the number would make it another one.
		.replace(/\(0\)/, '?');
	const compact = marked.replace(/[\s\u00a0\u2010-\u2015\-./()]/g, '');
	const given = compact.replace(/^(\+|00)/, '');
	if (!/^\d+$/.test(given)) {
		const isLonger = /^(?:\D*\d){16}/.test(typed);
		if (!SHORTENED.test(typed)) throw noNumber(typed, isLonger ? ARE_SEVERAL : undefined);
		throw noNumber(typed, 'was shortened by Excel, so its digits are lost', REMEDY_OF_SHORTENED);
	}
	const isInternational = isStored || INTERNATIONAL.test(String(value));
	const digits = isInternational || country === '' ? given : withCountry(given, country, given !== typed);
	if (NO_COUNTRY.test(digits))
		throw new InvalidValue(
			`"${quote(typed)}" has no country code`,
			`A country code is never guessed. ${PHONE_FORMAT} For numbers of one country, set its code in Advanced of the credential.`,
		);
	if (!NUMBER.test(digits)) throw noNumber(typed, `has ${digits.length} digits, a phone number has 7 to 15`);
	const number = withoutTrunk(digits);
	if (SEVERAL.test(marked) || (marked.includes('/') && !endsAreaCode(marked, number)))
		throw noNumber(typed, ARE_SEVERAL);
	if (!isInternational && digits === given && digits !== typed)
		throw new InvalidValue(
			`"${quote(typed)}" has no + before the country code`,
			'Write + before the country code, e.g. +49 171 1234567, and add the code if it is missing. It is never guessed.',
		);
	if (ELEVEN_DIGITS.test(digits) && digits.length < 11)
		throw new InvalidValue(
			`"${quote(typed)}" has ${digits.length} digits, a number with the country code ${number.code} has 11`,
			`Excel may have dropped a 0, and with it the country. ${PHONE_FORMAT}`,
		);
	return { typed, ...number };
}

/**
 * Parses a phone number to its digits in international format (rule 2 for customers), from any usual writing. It
 * refuses a 0 that is not dialled from abroad, and what may be several numbers, and never guesses a country code.
 */
export const phoneDigits: Parse<string> = (value, { countryCode } = {}) => {
	const { typed, digits, code, meant, trunk } = readNumber(value, false, countryCode);
	if (trunk === '') return digits;
	if (!NUMBER.test(meant)) throw noNumber(typed);
	throw new InvalidValue(
		`"${quote(typed)}" has ${trunk.startsWith('8') ? 'an' : 'a'} ${trunk} behind the country code ${code}; probably +${meant} is meant`,
		`Leave out the ${trunk}, which is only dialled within the country.`,
	);
};

/** Returns the digits of a number that the service has stored, in any notation; undefined if it is none. */
export function storedDigits(value: unknown): string | undefined {
	return orUndefinedIfInvalid((given) => readNumber(given, true), value)?.meant;
}

/** What stands behind a country or area code in one of the two writings of a person's mobile number. */
const OPTIONAL_DIGITS: Array<[RegExp, string]> = [
	[/^(55\d\d)9?([6-9]\d{7})$/, '9'], // Brazil, where other beginnings are those of landlines
	[/^(54)9?(\d{10})$/, '9'], // Argentina
	[/^(52)1?(\d{10})$/, '1'], // Mexico
];

/**
 * Returns all writings of a number in international format under which services know the same person, the given one first.
 * For most countries, there is no other.
 */
export function spellingsOf(digits: string): string[] {
	const own = OPTIONAL_DIGITS.find(([pattern]) => pattern.test(digits));
	if (!own) return [digits];
	const [pattern, optional] = own;
	return [...new Set([digits, ...['$1$2', `$1${optional}$2`].map((way) => digits.replace(pattern, way))])];
}

/** Parses a phone number to a number, for members that the interface defines as numbers. */
export const phoneNumber: Parse<number> = (value, reading) => Number(phoneDigits(value, reading));

/**
 * Parses a text to search for. A phone number in any writing becomes its digits, because the service stores those. It
 * begins with +, 00 or `tel:`, or with 0 where numbers without a country code have one. Other text stays the same.
 */
export const searchText: Parse<string> = (value, { countryCode = '' } = {}) => {
	const typed = text(value);
	const isNational = countryCode !== '' && /^\W*0[1-9]/.test(typed);
	if (!isNational && !INTERNATIONAL.test(typed)) return typed;
	return orUndefinedIfInvalid((given) => readNumber(given, !isNational, countryCode), typed)?.meant ?? typed;
};
