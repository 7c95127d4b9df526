/**
 * Chunks in files that are stored as they are: only the bytes that a task needs are read. A plane through chunks of
 * 512 KiB takes a third of the time, single elements and boxes across chunks three quarters (`npm run bench`, Node 20).
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

/** Fewer bytes are not worth the planning. */
const MIN_SAVED_BYTES = 16_384;

/** Whether parts of the plan's chunks can be read from local files. */
export function hasParts({ layout, cost }: ReadPlan): boolean {
  return layout.levels.length === 0 && isTrivial(layout.chain) && cost.chunkBytes > MIN_SAVED_BYTES;
}

/** @returns undefined where chunks of the plan are read whole */
export function createPartOf(
  plan: ReadPlan,
  store: Store<InnerChunkKey>,
): ((task: ReadTask) => ChunkPart | undefined) | undefined {
  const { cost } = plan;
  // A range of a local file costs no more than the whole file; of a remote object, the whole may be of use to others.
  if (store.locate === undefined || store.can.verifiesObjects === true || !hasParts(plan)) return undefined;
  return (task) => {
    const { start, end } = spanOf(plan, task);
    const length = end - start;
    return cost.chunkBytes - length < MIN_SAVED_BYTES ? undefined : { offset: start, length };
  };
}

/** Whether a plan leaves out most of what its chunks hold. */
export function readsLittle({ cost }: ReadPlan): boolean {
  return (cost.outputBytes ?? Infinity) < (cost.chunks * cost.chunkBytes) / 4;
}

/** The task as it is for a chunk that begins where the part does: the strides stay. */
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
