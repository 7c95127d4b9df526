/** What an innermost chunk takes, known before one is read; computed once when an array is opened. Pure. */
import { chunkShapeOf, type ChunkGrid } from '../chunk/grid.js';
import { sizeOf } from '../bytes/shape.js';
import type { CodecChain } from '../codec/codec.js';
import { largestStepBytes } from '../codec/step-bytes.js';
import { chargedItemBytes } from '../dtype/charged-bytes.js';
import type { DataType } from '../dtype/data-type.js';
import { indexBytesWithin } from './index-cost.js';

export interface ChunkSize {
  readonly shape: readonly number[];
  /** What limits count for one element. */
  readonly chargedItemBytes: number;
  /** What limits count for the elements of one chunk. */
  readonly chargedBytes: number;
  /** Bytes of one decoded chunk; for variable length, the least that it is charged. */
  readonly bytes: number;
  /** Bytes of the indexes in one chunk, where it is a shard that is decoded whole. */
  readonly indexBytes: number;
  /** Most bytes that one chunk takes while it is decoded, also between its codecs. */
  readonly stepBytes: number;
}

/** @param chain of one chunk; undefined where it is not supported */
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
