/** What a chunk takes between its codecs: `astype` may make eight bytes of one, and the next codec one of eight. */
import { sizeOf } from '../bytes/shape.js';
import type { CodecChain } from './codec.js';

/** The most bytes, of those that are known before anything is decoded, which a chunk has between two of its codecs. */
export function largestStepBytes({ rep, arrayToArray, sizes }: CodecChain): number {
  const reps = [rep, ...arrayToArray.map((codec) => codec.encodedRep)];
  const arrays = reps.map(({ dtype, shape }) => sizeOf(shape) * (dtype.itemSize ?? 0));
  const encoded = sizes.map((size) => (size.kind === 'exact' ? size.bytes : 0));
  return Math.max(...arrays, ...encoded);
}
