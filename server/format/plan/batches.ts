/** Divides the tasks of a plan into batches that are requested together. Pure. */
import { STEPS_BETWEEN_PAUSES } from '../../core/turns.js';
import { planTasks, type ReadPlan, type ReadTask } from './plan.js';

/**
 * Number of tasks after which a batch ends. A batch with a shard ends only after the shard, so that all its
 * inner chunks have the same version.
 */
const BATCH_TASKS = 64;
/** Decoded size of a batch in bytes, which bounds the memory in flight. A batch has at least one chunk. */
const BATCH_BYTES = 16 * 2 ** 20;

/**
 * Maximum number of batches from the oldest incomplete one to the newest. Bounds the memory of a sink that
 * merges in the order of the plan.
 */
export const BATCHES_AHEAD = 4;

function tasksOfBatch(chunkBytes: number): number {
  return Math.min(BATCH_TASKS, Math.max(1, Math.floor(BATCH_BYTES / Math.max(1, chunkBytes))));
}

/**
 * Maximum number of chunks that are requested and not merged. Shards can exceed it; see `BATCH_TASKS`.
 * @param chunkBytes decoded bytes of a chunk
 */
export function tasksInFlight(chunkBytes: number): number {
  return BATCHES_AHEAD * tasksOfBatch(chunkBytes);
}

/** Yields undefined periodically within a long batch, so that the caller can pause. */
export function* batchesOf(plan: ReadPlan): Generator<readonly ReadTask[] | undefined> {
  let batch: ReadTask[] = [];
  const tasks = tasksOfBatch(plan.cost.chunkBytes);
  for (const task of planTasks(plan)) {
    const last = batch[batch.length - 1];
    if (batch.length >= tasks && !sameObject(last, task)) {
      yield batch;
      batch = [];
    }
    if (batch.push(task) % STEPS_BETWEEN_PAUSES === 0) yield undefined;
  }
  if (batch.length > 0) yield batch;
}

function sameObject(a: ReadTask | undefined, b: ReadTask): boolean {
  return a !== undefined && a.location.object.every((i, d) => i === b.location.object[d]);
}
