import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses one entry of the list: an address or a CIDR range. Returns undefined for anything else. */
function rangeOf(entry: string): Range | undefined {
	if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
	if (!ipaddr.isValid(entry)) return undefined;
	const address = ipaddr.process(entry);
	return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Whether a caller is on the list. Never throws.
 *
 * @param list addresses and CIDR ranges, separated by commas; an entry that is neither matches no caller
 * @param caller address of the caller; an IPv4 address in IPv6 notation counts as IPv4
 */
export function isAllowedIp(list: string, caller: string | undefined): boolean {
	if (caller === undefined || !ipaddr.isValid(caller)) return false;
	const address = ipaddr.process(caller);
	return list
		.split(',')
		.map((entry) => rangeOf(entry.trim()))
		.some((range) => range !== undefined && range[0].kind() === address.kind() && address.match(range));
}
