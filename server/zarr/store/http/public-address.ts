/** Whether an IP address belongs to the public internet. */
import ipaddr from 'ipaddr.js';

/** Whether text is an IP address. */
export function isAddress(text: string): boolean {
  return ipaddr.isValid(text);
}

/**
 * False for loopback, link-local, private, shared (CGNAT), multicast, unspecified and reserved addresses, for
 * IPv6 addresses that embed such an IPv4 address, and for text that is not an address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address);
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address());
  // In networks with DNS64, every IPv4 server has such an address.
  if (address.match(nat64, 96)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(globalUnicast, 3) && address.range() === 'unicast';
}

/** RFC 6052, section 2.1: the well-known prefix, followed by the IPv4 address in the last 32 bits. */
const nat64 = ipaddr.IPv6.parse('64:ff9b::');
/** RFC 4291, section 2.4: all other ranges are special or unassigned. */
const globalUnicast = ipaddr.IPv6.parse('2000::');
/**
 * Azure serves certificates and settings to virtual machines at this address, although its range is public.
 */
const azureHost = ipaddr.IPv4.parse('168.63.129.16');

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !address.match(azureHost, 32);
}
