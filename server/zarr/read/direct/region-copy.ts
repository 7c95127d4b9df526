/** Regions in a ring: the elements that a task contributes to the result, contiguous in C order. */
import { stridesOf } from '../../bytes/shape.js';
import { copyStrided } from '../../bytes/strided-copy.js';
import type { DecodedChunk } from '../../codec/decode-chunk.js';
import { runLength } from '../parts.js';
import { resultType, type ReadPlan, type ReadTask } from '../plan.js';
import { copyRegion } from '../region.js';
import { createPlacement } from '../sinks/placement.js';

/** Alignment of regions in a slot, so that 8 bytes can be copied at a time. */
const ALIGNMENT = 8;

export function alignedBytes(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Size of a task's region in bytes; for fixed-size types and boxes only. */
export function regionBytes(plan: ReadPlan, { parts }: ReadTask): number {
  if ('points' in parts) return 0;
  return parts.reduce((count, part) => count * runLength(part.from), resultType(plan).itemSize ?? 0);
}

/** Whether a region is the whole chunk in the order in which it is decoded. */
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
 * Copies the region from a decoded chunk.
 * @param into has exactly the length of the region
 * @throws UnsupportedError if the result's type cannot represent a value
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

/** Copies a region into the result. */
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
