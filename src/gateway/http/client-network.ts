import ipaddr from 'ipaddr.js';

/** Number of IPv6 groups that identify the network; a subscriber owns all addresses in it. */
const NETWORK_GROUPS = 4;

/**
 * Returns the client that an address belongs to: an IPv4 address, also if written as IPv6 (`::ffff:192.0.2.1`), or the
 * /64 network of an IPv6 address. Text that is not an address is returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
