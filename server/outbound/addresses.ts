import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet. Everything else is refused: loopback, private, link-local (cloud metadata), carrier NAT,
 * multicast, unspecified, documentation, and every IPv6 form that wraps an IPv4 address (mapped, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (parsed.range() !== 'unicast') return false;
  // Deprecated IPv4-compatible addresses (::a.b.c.d) count as unicast in the tables and are nowhere in use.
  if (
    parsed.kind() === 'ipv6' &&
    parsed
      .toByteArray()
      .slice(0, 12)
      .every((byte) => byte === 0)
  )
    return false;
  return true;
}

/** A host as it stands in an allow-list: `host` (any port) or `host:port`, without case and final dot. */
export function isListed(list: readonly string[], hostname: string, port: number): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return list.some((entry) => {
    const wanted = entry.trim().toLowerCase();
    return wanted === host || wanted === `${host}:${port}`;
  });
}
