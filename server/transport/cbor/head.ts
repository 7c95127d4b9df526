/** Heads of CBOR items (RFC 8949, section 3): a major type and its argument, in the shortest form. */

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

/** The most bytes that a head takes. */
export const MAX_HEAD_BYTES = 9;

/**
 * Writes a head.
 * @param argument a length, a tag, an integer; up to 2^64 - 1
 * @returns where it ends
 */
export function writeHead(into: Buffer, at: number, type: number, argument: number | bigint): number {
  const first = type << 5;
  if (argument < 24) return into.writeUInt8(first | Number(argument), at);
  if (argument < 2 ** 8) return into.writeUInt8(Number(argument), into.writeUInt8(first | 24, at));
  if (argument < 2 ** 16) return into.writeUInt16BE(Number(argument), into.writeUInt8(first | 25, at));
  if (argument < 2 ** 32) return into.writeUInt32BE(Number(argument), into.writeUInt8(first | 26, at));
  return into.writeBigUInt64BE(BigInt(argument), into.writeUInt8(first | 27, at));
}
