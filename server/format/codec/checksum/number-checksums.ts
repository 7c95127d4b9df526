/** Checksums of numcodecs other than CRCs: 32-bit numbers over bytes. */

/** Adler-32 (RFC 1950). */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  // 5552 is the maximum number of additions in 32 bits before the remainder must be taken.
  for (let i = 0; i < bytes.length;) {
    for (const end = Math.min(i + 5552, bytes.length); i < end; i++) {
      a += bytes[i];
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}

/**
 * Computes HDF5's Fletcher-32 over big-endian words of 16 bits; an odd byte at the end is the high half of a
 * last word. Folding (instead of a remainder) results in 0xffff where other Fletcher-32 checksums are 0.
 */
export function fletcher32(bytes: Uint8Array): number {
  const words = bytes.length >> 1;
  let a = 0;
  let b = 0;
  const fold = (sum: number): number => (sum & 0xffff) + (sum >>> 16);
  // 360 is the maximum number of additions in 32 bits before the sums must be folded.
  for (let i = 0; i < words;) {
    for (const end = Math.min(i + 360, words); i < end; i++) {
      a += (bytes[2 * i] << 8) | bytes[2 * i + 1];
      b += a;
    }
    a = fold(a);
    b = fold(b >>> 0);
  }
  if (bytes.length % 2 === 1) {
    a = fold(a + (bytes[bytes.length - 1] << 8));
    b = fold(b + a);
  }
  a = fold(a);
  b = fold(b);
  return ((b << 16) | a) >>> 0;
}

/** Computes Bob Jenkins' lookup3 ("hashlittle") as in HDF5. `initial` is any 32-bit number. */
export function jenkinsLookup3(bytes: Uint8Array, initial: number): number {
  const start = (0xdeadbeef + bytes.length + initial) | 0;
  let [a, b, c] = [start, start, start];
  // Bytes past the end are undefined, which is 0 in bit operations.
  const word = (at: number): number =>
    bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  let at = 0;
  for (; bytes.length - at > 12; at += 12) {
    a = (a + word(at)) | 0;
    b = (b + word(at + 4)) | 0;
    c = (c + word(at + 8)) | 0;
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  if (bytes.length - at === 0) return c >>> 0;
  a = (a + word(at)) | 0;
  b = (b + word(at + 4)) | 0;
  c = (c + word(at + 8)) | 0;
  c = (c ^ b) - rotate(b, 14);
  a = (a ^ c) - rotate(c, 11);
  b = (b ^ a) - rotate(a, 25);
  c = (c ^ b) - rotate(b, 16);
  a = (a ^ c) - rotate(c, 4);
  b = (b ^ a) - rotate(a, 14);
  c = (c ^ b) - rotate(b, 24);
  return c >>> 0;
}

function rotate(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits));
}
