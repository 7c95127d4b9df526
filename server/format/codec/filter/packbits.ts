/**
 * numcodecs' `packbits`: 8 booleans per byte, the first in the highest bit, preceded by a byte with the
 * number of padding bits at the end.
 */
import { numberType } from '../../../core/dtype/data-type.js';
import { CodecError } from '../../../core/errors.js';
import type { Filter } from './filter.js';
import type { Numbers } from './numbers.js';

export const packBitsFilter: Filter = {
  name: 'packbits',
  options: [],
  bind: () => ({
    decoded: { dtype: numberType('bool'), swaps: [] },
    encoded: { dtype: numberType('uint8'), swaps: [] },
    encodedLength: (decoded) => 1 + Math.ceil(decoded / 8),
    decode: unpack,
    encode: pack,
  }),
};

function unpack(packed: Numbers): Uint8Array {
  const padding = Number(packed[0] ?? -1);
  const length = (packed.length - 1) * 8 - padding;
  if (padding < 0 || padding > 7 || length < 0)
    throw new CodecError(
      packed.length === 0
        ? 'codec "packbits": the chunk is empty (0 bytes); expected at least 1'
        : `codec "packbits": the first byte declares ${padding} padding bits; expected 0 to ${packed.length === 1 ? '0, because no bytes follow' : 7}`,
    );
  const bits = new Uint8Array(length);
  for (let i = 0; i < length; i++) bits[i] = (Number(packed[1 + (i >> 3)]) >> (7 - (i & 7))) & 1;
  return bits;
}

function pack(bits: Numbers): Uint8Array {
  const packed = new Uint8Array(1 + Math.ceil(bits.length / 8));
  packed[0] = (packed.length - 1) * 8 - bits.length;
  for (let i = 0; i < bits.length; i++) {
    if (bits[i]) packed[1 + (i >> 3)] = packed[1 + (i >> 3)] | (0x80 >> (i & 7));
  }
  return packed;
}
