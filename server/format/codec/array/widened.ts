/**
 * Reads numbers in forms that JavaScript has no arrays for as wider ones (core/dtype/small-numbers.ts). An internal codec
 * before those of the metadata: they see the stored numbers, everything else the wider ones.
 */
import { sizeOf } from '../../../core/bytes/shape.js';
import { smallNumber } from '../../../core/dtype/small-numbers.js';
import { CodecError, MetadataError, UnsupportedError } from '../../../core/errors.js';
import type { ArrayToArrayCodec } from '../codec.js';
import { badOption } from '../configuration.js';
import { widenStored } from './widen-numbers.js';

export const WIDENED = 'internal.widened';

/** Configuration: `type`, the name of the stored type, and `fill`, the bytes of the stored fill value. */
export const widenedCodec: ArrayToArrayCodec = {
  kind: 'array-to-array',
  name: WIDENED,
  create({ type, fill }, rep) {
    const small = typeof type === 'string' ? smallNumber(type) : undefined;
    if (small === undefined) throw badOption(WIDENED, 'type', type, 'the name of a small number');
    const { stored, part, widened } = small;
    if (rep.dtype.name !== widened.name)
      throw new MetadataError(`codec "${WIDENED}" of ${small.name} requires data type ${widened.name}`);
    if (!Array.isArray(fill) || fill.length !== stored.itemSize)
      throw new MetadataError(`codec "${WIDENED}": the fill value is missing`);
    const bytes = Uint8Array.from(fill, Number);
    const length = sizeOf(rep.shape) * stored.itemSize;
    return {
      encodedRep: { dtype: stored, shape: rep.shape, fill: { bytes }, arrayType: rep.dtype, bits: part.bits },
      decode(given) {
        if (given.length !== length)
          throw new CodecError(`the chunk has ${given.length} bytes of ${small.name}; expected ${length}`);
        return widenStored(given, small);
      },
      encode() {
        throw new UnsupportedError(
          `data type "${small.name}" is read-only; write a wider one, such as "float32"`,
        );
      },
    };
  },
};
