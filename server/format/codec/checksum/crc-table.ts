/**
 * CRC-32 (RFC 1952) and CRC-32C (Castagnoli, RFC 3720 appendix B.4) in JavaScript, if the native module
 * cannot be loaded. `#crc` in package.json selects this file or crc-node.ts.
 */

export interface Crc {
  /** @param before the checksum of the preceding bytes */
  readonly crc32: (bytes: Uint8Array, before?: number) => number;
  readonly crc32c: (bytes: Uint8Array, before?: number) => number;
}

export const crc32: Crc['crc32'] = createCrc(0xedb88320);
export const crc32c: Crc['crc32c'] = createCrc(0x82f63b78);

/** @param polynomial the polynomial with reversed bits */
function createCrc(polynomial: number): (bytes: Uint8Array, before?: number) => number {
  // Eight tables process eight bytes per step ("slicing"), three times as fast as one table. Created on
  // first use.
  let tables: Int32Array | undefined;
  return (bytes, before = 0) => {
    tables ??= makeTables(polynomial);
    return run(tables, bytes, before);
  };
}

/** Creates the tables. Table k, for a byte followed by k bytes, starts at 256 * k. */
function makeTables(polynomial: number): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ polynomial : c >>> 1;
    tables[n] = c;
  }
  for (let n = 256; n < tables.length; n++) {
    const before = at(tables, n - 256);
    tables[n] = (before >>> 8) ^ at(tables, before & 0xff);
  }
  return tables;
}

function run(t: Int32Array, bytes: Uint8Array, before: number): number {
  let crc = ~before;
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    crc ^= at(bytes, i) | (at(bytes, i + 1) << 8) | (at(bytes, i + 2) << 16) | (at(bytes, i + 3) << 24);
    crc =
      at(t, 0x700 + (crc & 0xff)) ^
      at(t, 0x600 + ((crc >>> 8) & 0xff)) ^
      at(t, 0x500 + ((crc >>> 16) & 0xff)) ^
      at(t, 0x400 + (crc >>> 24)) ^
      at(t, 0x300 + at(bytes, i + 4)) ^
      at(t, 0x200 + at(bytes, i + 5)) ^
      at(t, 0x100 + at(bytes, i + 6)) ^
      at(t, at(bytes, i + 7));
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ at(t, (crc ^ at(bytes, i)) & 0xff);
  return ~crc >>> 0;
}

function at(list: Uint8Array | Int32Array, index: number): number {
  return list[index];
}
