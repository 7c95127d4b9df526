/**
 * `transpose`: reorders the chunk's dimensions (v3 specification of the transpose codec). Dimension i of the
 * encoded chunk is dimension order[i] of the decoded one. Chains express the order as strides instead of
 * calling `decode` and `encode`.
 */
import { sizeOf, stridesOf } from '../../../core/bytes/shape.js';
import { copyStrided } from '../../../core/bytes/strided-copy.js';
import type { JsonObject } from '../../../core/bytes/json.js';
import { UnsupportedError } from '../../../core/errors.js';
import type { ArrayToArrayCodec, ChunkRep } from '../codec.js';
import { badOption, checkOptions } from '../configuration.js';
import { checkSize, exactly } from '../size.js';

/** Dimension i of the encoded side is dimension order[i] of the decoded side. */
type TransposeOrder = readonly number[];

export const transposeCodec: ArrayToArrayCodec = {
  kind: 'array-to-array',
  name: 'transpose',
  create(configuration, rep) {
    checkOptions('transpose', configuration, ['order']);
    const order = parseOrder(configuration, rep.shape.length);
    const encodedRep = { ...rep, shape: order.map((d) => rep.shape[d]) };
    const inverse = order.map((_, d) => order.indexOf(d));
    return {
      encodedRep,
      permutation: order,
      decode: (bytes) => permuted(bytes, encodedRep, inverse),
      encode: (bytes) => permuted(bytes, rep, order),
    };
  },
};

function parseOrder(configuration: JsonObject, rank: number): TransposeOrder {
  const order = configuration['order'];
  const dims = Array.from({ length: rank }, (_, d) => d);
  // Strings from drafts of the specification, which existing stores contain.
  if (order === 'C') return dims;
  if (order === 'F') return dims.reverse();
  const wanted = `a permutation of ${rank === 0 ? 'no dimensions' : `0 to ${rank - 1}`}`;
  if (!Array.isArray(order) || order.length !== rank) throw badOption('transpose', 'order', order, wanted);
  const parsed: number[] = [];
  for (const d of order) {
    if (typeof d !== 'number' || !dims.includes(d) || parsed.includes(d))
      throw badOption('transpose', 'order', order, wanted);
    parsed.push(d);
  }
  return parsed;
}

/** Transposes values of shape `rep.shape`: dimension i of the result is dimension order[i] of the input. */
function permuted(bytes: Uint8Array, rep: ChunkRep, order: TransposeOrder): Uint8Array {
  const { itemSize } = rep.dtype;
  if (itemSize === null)
    throw new UnsupportedError(
      `codec "transpose": unsupported data type ${rep.dtype.name}, which has no fixed size`,
    );
  checkSize('transpose', bytes.length, exactly(sizeOf(rep.shape) * itemSize));
  const result = new Uint8Array(bytes.length);
  const from = stridesOf(rep.shape, itemSize);
  const shape = order.map((d) => rep.shape[d]);
  const to = stridesOf(shape, itemSize);
  const dims = order.map((d, i) => ({ count: shape[i], from: from[d], to: to[i] }));
  copyStrided(bytes, 0, result, 0, dims, itemSize);
  return result;
}
