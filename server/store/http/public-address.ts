/** Determines whether an IP address belongs to the public internet. */
import ipaddr from 'ipaddr.js';

/** Whether text is an IP address. */
export function isAddress(text: string): boolean {
  return ipaddr.isValid(text);
}

/**
 * Whether an address is public. False for loopback, link-local, private, shared (CGNAT), multicast,
 * unspecified and reserved addresses, for IPv6 addresses that embed such an IPv4 address, and for text that
 * is not an address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address);
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address());
  // In networks with DNS64, every IPv4 server has an address with this prefix.
  if (address.match(nat64, 96)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(globalUnicast, 3) && address.range() === 'unicast';
}

/** The well-known prefix (RFC 6052, section 2.1), followed by the IPv4 address in the last 32 bits. */
const nat64 = ipaddr.IPv6.parse('64:ff9b::');
/**
 * The only unicast range that is public. All other ranges are special or unassigned (RFC 4291, section 2.4).
 */
const globalUnicast = ipaddr.IPv6.parse('2000::');
/**
 * Azure serves certificates and settings to virtual machines at this address, although its range is public.
 */
const azureHost = ipaddr.IPv4.parse('168.63.129.16');

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !address.match(azureHost, 32);
}
