/** Sizes of an inner chunk that are known before it is read. Computed once when an array is opened. Pure. */
import { chunkShapeOf, type ChunkGrid } from '../chunk/grid.js';
import { sizeOf } from '../bytes/shape.js';
import type { CodecChain } from '../codec/codec.js';
import { largestStepBytes } from '../codec/step-bytes.js';
import { chargedItemBytes, type DataType } from '../dtype/data-type.js';
import { indexBytesWithin } from './index-cost.js';

export interface ChunkSize {
  readonly shape: readonly number[];
  /** Size of one element for limits. */
  readonly chargedItemBytes: number;
  /** Size of one chunk's elements for limits. */
  readonly chargedBytes: number;
  /** Size of one decoded chunk; for variable length, its minimum charge. */
  readonly bytes: number;
  /** Size of the indexes in one chunk, if it is a shard that is decoded as a whole. */
  readonly indexBytes: number;
  /** Maximum memory during decoding of one chunk, including intermediate results of codecs. */
  readonly stepBytes: number;
}

/** @param chain of one chunk; undefined if it is not supported */
export function chunkSize(grid: ChunkGrid, dtype: DataType, chain: CodecChain | undefined): ChunkSize {
  const shape = chunkShapeOf(grid);
  const elements = sizeOf(shape);
  const charged = chargedItemBytes(dtype);
  const bytes = elements * (dtype.itemSize ?? charged);
  return {
    shape,
    chargedItemBytes: charged,
    chargedBytes: elements * charged,
    bytes,
    indexBytes: chain === undefined ? 0 : indexBytesWithin(chain),
    stepBytes: chain === undefined ? bytes : Math.max(bytes, largestStepBytes(chain)),
  };
}
