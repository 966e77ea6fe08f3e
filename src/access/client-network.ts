import ipaddr from 'ipaddr.js';

/** Groups of an IPv6 address that name the network; a subscriber has all addresses in it. */
const NETWORK_GROUPS = 4;

/**
 * Who counts as one client: an IPv4 address, also when it is written as IPv6 (`::ffff:192.0.2.1`), or the /64 network
 * of an IPv6 address. What is no address counts as it stands.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
