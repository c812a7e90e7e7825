import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** One entry of the list: an address, or a range in CIDR notation; undefined when it is neither. */
function rangeOf(entry: string): Range | undefined {
	if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
	if (!ipaddr.isValid(entry)) return undefined;
	const address = ipaddr.process(entry);
	return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Whether a caller is on the list. Never throws.
 *
 * @param list addresses and CIDR ranges, separated by commas; an entry that is neither lets nobody in
 * @param caller address of the caller; IPv4 addresses written as IPv6 count as what they are
 */
export function isAllowedIp(list: string, caller: string | undefined): boolean {
	if (caller === undefined || !ipaddr.isValid(caller)) return false;
	const address = ipaddr.process(caller);
	return list
		.split(',')
		.map((entry) => rangeOf(entry.trim()))
		.some((range) => range !== undefined && range[0].kind() === address.kind() && address.match(range));
}
