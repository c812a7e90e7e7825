import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Parses an address. Other programs take short and octal forms of IPv4 for different addresses, so they are none here.
 * An IPv4 address in IPv6 notation counts as IPv4.
 */
function addressOf(text: string): Range[0] | undefined {
	const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
	return isAddress ? ipaddr.process(text) : undefined;
}

/** Number of bits in front of an IPv4 address in IPv6 notation. */
const MAPPED_BITS = 96;

/** Parses one entry of the list: an address or a CIDR range. Returns undefined for anything else. */
function rangeOf(entry: string): Range | undefined {
	const [text, length, ...more] = entry.split('/');
	const address = addressOf(text);
	if (!address || more.length > 0) return undefined;
	const all = address.kind() === 'ipv4' ? 32 : 128;
	if (length === undefined) return [address, all];
	const isMapped = all === 32 && text.includes(':');
	const bits = /^\d{1,3}$/.test(length) ? Number(length) - (isMapped ? MAPPED_BITS : 0) : -1;
	return bits >= 0 && bits <= all ? [address, bits] : undefined;
}

/**
 * Whether a caller is on the list. Never throws.
 *
 * @param list addresses and CIDR ranges, separated by commas; an entry that is neither matches no caller
 * @param caller address of the caller; an IPv4 address in IPv6 notation counts as IPv4
 */
export function isAllowedIp(list: string, caller: string | undefined): boolean {
	const address = addressOf(caller ?? '');
	return (
		address !== undefined &&
		list
			.split(',')
			.map((entry) => rangeOf(entry.trim()))
			.some((range) => range !== undefined && range[0].kind() === address.kind() && address.match(range))
	);
}
