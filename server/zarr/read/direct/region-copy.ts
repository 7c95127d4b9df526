/** Regions: the elements of the result that a task makes of its chunk, on their own and in C order, on the way through a ring. */
import { stridesOf } from '../../bytes/shape.js';
import { copyStrided } from '../../bytes/strided-copy.js';
import type { DecodedChunk } from '../../codec/decode-chunk.js';
import { runLength } from '../parts.js';
import { resultType, type ReadPlan, type ReadTask } from '../plan.js';
import { copyRegion } from '../region.js';
import { createPlacement } from '../sinks/placement.js';

/** Regions in a slot begin at multiples of this, so that elements can be copied 8 bytes at a time. */
const alignment = 8;

export function alignedBytes(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

/** Bytes of a task's region; fixed-size types and boxes only. */
export function regionBytes(plan: ReadPlan, { parts }: ReadTask): number {
  if ('points' in parts) return 0;
  return parts.reduce((count, part) => count * runLength(part.from), resultType(plan).itemSize ?? 0);
}

/** Whether a region is the whole chunk as its codecs decode it. */
export function isWholeChunk({ layout, transform }: ReadPlan, { parts }: ReadTask): boolean {
  if (transform !== undefined && transform.kind !== 'copy') return false;
  if ('points' in parts || !layout.decodesInPlace) return false;
  return parts.every(({ from }, d) => {
    const size = layout.chunk.shape[d];
    return (
      !('at' in from) && from.count === size && from.start === 0 && (from.count === 1 || from.step === 1)
    );
  });
}

/**
 * Copies the region out of a decoded chunk.
 * @param into exactly as long as the region
 * @throws UnsupportedError for a value that the result's type cannot hold
 */
export function packRegion(plan: ReadPlan, task: ReadTask, decoded: DecodedChunk, into: Uint8Array): void {
  const { values } = decoded;
  if (!('bytes' in values)) throw new TypeError('values of variable length have no region');
  const unit = resultType(plan).itemSize ?? 1;
  const { from, dims } = copyRegion(plan, task, plan.layout.chunkStrides, unit);
  const packed = stridesOf(
    dims.map((dim) => dim.count),
    unit,
  );
  const copy = dims.map(({ count, from: stride, fromAt }, d) => ({
    count,
    from: stride,
    to: packed[d] ?? 0,
    ...(fromAt === undefined ? {} : { fromAt }),
  }));
  createPlacement(plan).place(values, { bytes: into }, { from, to: 0, dims: copy });
}

/** Places a region in the result. */
export function placeRegion(plan: ReadPlan, task: ReadTask, region: Uint8Array, result: Uint8Array): void {
  const unit = resultType(plan).itemSize ?? 1;
  const { to, dims } = copyRegion(plan, task, [], unit);
  const packed = stridesOf(
    dims.map((dim) => dim.count),
    unit,
  );
  const copy = dims.map(({ count, to: stride, toAt }, d) => ({
    count,
    from: packed[d] ?? 0,
    to: stride,
    ...(toAt === undefined ? {} : { toAt }),
  }));
  copyStrided(region, 0, result, to, copy, unit);
}
