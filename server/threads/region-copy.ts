/** Regions in a slot: the elements that a task contributes to the result, contiguous in C order. */
import { fixedItemSize } from '../core/dtype/data-type.js';
import { defined } from '../../wire/guards.js';
import { stridesOf } from '../core/bytes/shape.js';
import { copyStrided } from '../core/bytes/strided-copy.js';
import type { DecodedChunk } from '../format/codec/run-chain.js';
import { runLength } from '../format/plan/parts.js';
import type { ReadPlan, ReadTask } from '../format/plan/plan.js';
import { copyRegion } from '../format/plan/region.js';
import type { Placement } from '../compute/placement.js';

/** Size of a task's region in bytes; for fixed-size types and boxes only. */
export function regionBytes(plan: ReadPlan, { parts }: ReadTask): number {
  if ('points' in parts) return 0;
  let bytes = fixedItemSize(plan.resultType);
  for (const part of parts) bytes *= runLength(part.from);
  return bytes;
}

/**
 * Copies the region from a decoded chunk.
 * @param into memory of exactly the length of the region
 * @throws UnsupportedError if the result's type cannot represent a value
 */
export function packRegion(
  plan: ReadPlan,
  task: ReadTask,
  placement: Placement,
  decoded: DecodedChunk,
  into: Uint8Array,
): void {
  const { values } = decoded;
  if (!('bytes' in values)) throw new TypeError('values of variable length have no region');
  const unit = plan.resultType.itemSize ?? 1;
  const { from: start, dims } = copyRegion(plan, task, plan.layout.chunkStrides, unit);
  const packed = stridesOf(
    dims.map((dim) => dim.count),
    unit,
  );
  const copy = dims.map(({ count, from, fromAt }, d) => ({
    count,
    from,
    to: defined(packed[d]),
    fromAt,
    toAt: undefined,
  }));
  placement.place(values, { bytes: into }, { from: start, to: 0, dims: copy });
}

/** Copies a region into the result. */
export function placeRegion(plan: ReadPlan, task: ReadTask, region: Uint8Array, result: Uint8Array): void {
  const unit = plan.resultType.itemSize ?? 1;
  const { to: start, dims } = copyRegion(plan, task, [], unit);
  const packed = stridesOf(
    dims.map((dim) => dim.count),
    unit,
  );
  const copy = dims.map(({ count, to, toAt }, d) => ({
    count,
    from: defined(packed[d]),
    to,
    fromAt: undefined,
    toAt,
  }));
  copyStrided(region, 0, result, start, copy, unit);
}
