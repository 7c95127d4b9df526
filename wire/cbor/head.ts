/** Heads of CBOR items (RFC 8949, section 3): a major type and its argument. */

export const major = {
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  list: 4,
  map: 5,
  tag: 6,
  simple: 7,
} as const;

export const simple = { false: 0xf4, true: 0xf5, null: 0xf6, float64: 0xfb } as const;

/**
 * Tags: positive and negative integers beyond 64 bits, shared values and references to them
 * (http://cbor.schmorp.de/value-sharing), and the marker at the start of CBOR data.
 */
export const tags = {
  bignum: 2,
  negativeBignum: 3,
  shareable: 28,
  reference: 29,
  selfDescribed: 55_799,
} as const;

/** Maximum size of a head in bytes. */
export const MAX_HEAD_BYTES = 9;

/**
 * Writes a head in its shortest form.
 * @param argument a length, a tag or an integer, up to 2^64 - 1
 * @returns the position after the head
 */
export function writeHead(into: DataView, at: number, type: number, argument: number | bigint): number {
  const first = type << 5;
  if (argument < 24) {
    into.setUint8(at, first | Number(argument));
    return at + 1;
  }
  if (argument < 2 ** 8) {
    into.setUint8(at, first | 24);
    into.setUint8(at + 1, Number(argument));
    return at + 2;
  }
  if (argument < 2 ** 16) {
    into.setUint8(at, first | 25);
    into.setUint16(at + 1, Number(argument));
    return at + 3;
  }
  if (argument < 2 ** 32) {
    into.setUint8(at, first | 26);
    into.setUint32(at + 1, Number(argument));
    return at + 5;
  }
  into.setUint8(at, first | 27);
  into.setBigUint64(at + 1, BigInt(argument));
  return at + 9;
}
