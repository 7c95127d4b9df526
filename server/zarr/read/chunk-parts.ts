/**
 * Partial reads of uncompressed chunks in files: only the bytes that a task needs are read. A plane through
 * chunks of 512 KiB takes a third of the time, single elements and boxes across chunks three quarters (`npm
 * run bench`, Node 20).
 */
import { isTrivial } from '../codec/codec.js';
import type { Store } from '../store/store.js';
import type { InnerChunkKey } from '../sharding/store.js';
import type { ReadPlan, ReadTask } from './plan.js';
import { extremesOf, spanOf } from './region.js';

/** A part of a chunk, in bytes. */
export interface ChunkPart {
  readonly offset: number;
  readonly length: number;
}

/** Minimum number of bytes to omit for a partial read. */
const MIN_SAVED_BYTES = 16_384;

/** Whether parts of the plan's chunks can be read from local files. */
export function hasParts({ layout, cost }: ReadPlan): boolean {
  return layout.levels.length === 0 && isTrivial(layout.chain) && cost.chunkBytes > MIN_SAVED_BYTES;
}

/** @returns undefined if whole chunks are read */
export function createPartOf(
  plan: ReadPlan,
  store: Store<InnerChunkKey>,
): ((task: ReadTask) => ChunkPart | undefined) | undefined {
  const { cost } = plan;
  // Reading a range of a local file is never slower than reading the whole file. Remote objects are read as
  // a whole for the cache.
  if (store.locate === undefined || store.can.verifiesObjects === true || !hasParts(plan)) return undefined;
  return (task) => {
    const { start, end } = spanOf(plan, task);
    const length = end - start;
    return cost.chunkBytes - length < MIN_SAVED_BYTES ? undefined : { offset: start, length };
  };
}

/** Whether a plan omits most of the bytes of its chunks. */
export function readsLittle({ cost }: ReadPlan): boolean {
  return (cost.outputBytes ?? Infinity) < (cost.chunks * cost.chunkBytes) / 4;
}

/** The task relative to the start of the part; strides do not change. */
export function taskOfPart(task: ReadTask): ReadTask {
  const { parts } = task;
  const moved =
    'points' in parts
      ? { ...parts, points: parts.points.map(movedBack) }
      : parts.map((part) => ({
          ...part,
          from:
            'at' in part.from
              ? { at: movedBack(part.from.at) }
              : { ...part.from, start: part.from.start - extremesOf(part.from).least },
        }));
  return { ...task, parts: moved };
}

function movedBack(at: Float64Array): Float64Array {
  const { least } = extremesOf({ at });
  return at.map((i) => i - least);
}
