/** Parquet's hybrid of run lengths and packed bits, for levels and indexes of dictionaries. */
import { damaged, ThriftReader } from './thrift.js';

/**
 * Fills `values`. Nothing is written beyond its end.
 * @param width number of bits of a value, 0 to 32
 * @throws MetadataError for damaged bytes
 */
export function readHybrid(bytes: Uint8Array, width: number, values: Uint32Array): void {
  if (width > 32) throw damaged('values have more than 32 bits');
  const reader = new ThriftReader(bytes);
  const wholeBytes = Math.ceil(width / 8);
  for (let filled = 0; filled < values.length;) {
    const header = reader.varint();
    const left = values.length - filled;
    if (header % 2 === 0) {
      const count = header / 2;
      if (count === 0 || count > left) throw damaged('a run is longer than its page');
      if (wholeBytes > bytes.length - reader.at) throw damaged('a run ends early');
      let value = 0;
      for (let i = 0; i < wholeBytes; i++) value += (bytes[reader.at + i] ?? 0) * 2 ** (8 * i);
      reader.at += wholeBytes;
      values.fill(value, filled, filled + count);
      filled += count;
    } else {
      // Groups of eight values; the last may be padded.
      const groups = (header - 1) / 2;
      const count = Math.min(groups * 8, left);
      if (groups === 0 || groups * 8 >= left + 8)
        throw damaged('packed values are more than those of their page');
      unpack(bytes, reader.at, width, values.subarray(filled, filled + count));
      reader.at += groups * width;
      filled += count;
    }
  }
}

function unpack(bytes: Uint8Array, from: number, width: number, values: Uint32Array): void {
  if (Math.ceil((values.length * width) / 8) > bytes.length - from) throw damaged('packed values end early');
  let at = from;
  let held = 0;
  let bits = 0;
  const modulus = 2 ** width;
  for (let i = 0; i < values.length; i++) {
    while (bits < width) {
      held += (bytes[at++] ?? 0) * 2 ** bits;
      bits += 8;
    }
    values[i] = held % modulus;
    held = Math.floor(held / modulus);
    bits -= width;
  }
}
