/**
 * Size of a chunk between its codecs. For example, `astype` may turn one byte into eight, and the next
 * codec eight bytes into one.
 */
import { sizeOf } from '../bytes/shape.js';
import type { CodecChain } from './codec.js';

/** The largest size of a chunk between two codecs, as far as sizes are known before decoding. */
export function largestStepBytes({ rep, arrayToArray, sizes }: CodecChain): number {
  const reps = [rep, ...arrayToArray.map((codec) => codec.encodedRep)];
  const arrays = reps.map(({ dtype, shape }) => sizeOf(shape) * (dtype.itemSize ?? 0));
  const encoded = sizes.map((size) => (size.kind === 'exact' ? size.bytes : 0));
  return Math.max(...arrays, ...encoded);
}
