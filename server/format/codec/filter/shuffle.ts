/**
 * numcodecs' `shuffle`: groups the first bytes of all elements, then the second bytes, and so on. Bytes
 * after the last complete element are unchanged.
 */
import type { BytesToBytesCodec } from '../codec.js';
import { checkOptions, readInteger } from '../configuration.js';
import { scratchFor } from '../run-chain.js';
import { checkSize } from '../size.js';

export const shuffleCodec: BytesToBytesCodec = {
  kind: 'bytes-to-bytes',
  name: 'shuffle',
  create(configuration, rep) {
    checkOptions('shuffle', configuration, ['elementsize']);
    // If v3 metadata has no size, zarr-python uses the size of the array's data type, even after a filter
    // that changes the type. (v2: see metadata/v2-codecs.ts.)
    const absent = (rep.arrayType ?? rep.dtype).itemSize ?? 4;
    const bounds = { min: 0, max: 2 ** 31 - 1, absent };
    const elementSize = readInteger('shuffle', configuration, 'elementsize', bounds);
    return {
      encodedSize: (decoded) => decoded,
      decode(bytes, size, into) {
        checkSize('shuffle', bytes.length, size);
        if (elementSize < 2) return bytes;
        // An `into` in the input's buffer is not used, because it may overlap the input.
        const free = into?.length === bytes.length && into.buffer !== bytes.buffer;
        const dest = free ? into : scratchFor(bytes, bytes.length);
        unshuffle(bytes, dest, elementSize);
        return dest;
      },
      encode(bytes) {
        if (elementSize < 2) return bytes;
        const dest = new Uint8Array(bytes.length);
        shuffle(bytes, dest, elementSize);
        return dest;
      },
    };
  },
};

function shuffle(bytes: Uint8Array, dest: Uint8Array, elementSize: number): void {
  const count = Math.floor(bytes.length / elementSize);
  for (let k = 0, to = 0; k < elementSize && count > 0; k++) {
    for (let from = k, end = count * elementSize; from < end; from += elementSize) dest[to++] = bytes[from];
  }
  dest.set(bytes.subarray(count * elementSize), count * elementSize);
}

function unshuffle(bytes: Uint8Array, dest: Uint8Array, elementSize: number): void {
  const count = Math.floor(bytes.length / elementSize);
  for (let k = 0, from = 0; k < elementSize && count > 0; k++) {
    for (let to = k, end = count * elementSize; to < end; to += elementSize) dest[to] = bytes[from++];
  }
  dest.set(bytes.subarray(count * elementSize), count * elementSize);
}
