/**
 * Tasks that fold consecutive chunks of the plan of a slice. A task returns the partial results of its chunks without
 * merging them: merged in the order of the plan, they give the result of one read bit by bit.
 */
import { needOfRead } from '../../memory/needs.js';
import {
  type CallOptions,
  createPause,
  type FoldParts,
  type LazySlice,
  type PartMerge,
  type TaskSpan,
} from '../../zarr/index.js';
import { TASK_READ_BYTES, taskLimits } from '../limits.js';
import {
  type JobMerging,
  type JobResult,
  type MergedTasks,
  noCounts,
  type PartialCodec,
  type TaskContext,
  type TaskMerge,
  type TaskReport,
} from '../plan.js';
import { currentVersions, lookAtVersions, TaskVersions } from '../seen-versions.js';

/** Chunks of a task: their partial results are in memory together. */
const MAX_CHUNKS = 64;
/** Encoded objects, and memory that is collected late, in multiples of the chunks in flight: four tasks took 300 MB. */
const READ_FACTOR = 2;
/** Partial results of a task in bytes, unless one chunk has more. */
const PARTIAL_BYTES = 128 * 1024;

export interface DividedFold<T> {
  readonly slice: LazySlice;
  readonly parts: FoldParts<T>;
  readonly tasks: number;
  readonly chunksPerTask: number;
  /** Partial results of a task, in bytes. */
  readonly partialBytes: number;
  /** Memory of a task, in bytes. */
  readonly needBytes: number;
}

export function divideFold<T>(slice: LazySlice, parts: FoldParts<T>): DividedFold<T> {
  const { tasks: chunks, chunkBytes, tasksPerObject, partialBytes } = parts;
  const fits = Math.min(
    MAX_CHUNKS,
    TASK_READ_BYTES / Math.max(1, chunkBytes),
    PARTIAL_BYTES / Math.max(1, partialBytes),
  );
  // Whole shards, so that no two tasks read the index of one.
  const unit = tasksPerObject <= fits ? tasksPerObject : 1;
  const chunksPerTask = Math.max(1, Math.floor(fits / unit)) * unit;
  const { inFlightBytes } = needOfRead(slice);
  return {
    slice,
    parts,
    tasks: Math.ceil(chunks / chunksPerTask),
    chunksPerTask,
    partialBytes: partialBytes * chunksPerTask,
    needBytes: READ_FACTOR * inFlightBytes + 2 * partialBytes * chunksPerTask,
  };
}

function spanOf({ parts, chunksPerTask }: DividedFold<unknown>, task: number): TaskSpan {
  const from = task * chunksPerTask;
  return { from, to: Math.min(parts.tasks, from + chunksPerTask) };
}

/** Folds the chunks of a task. */
export async function runFold(
  divided: DividedFold<unknown>,
  task: number,
  { signal }: TaskContext,
  isWatched: boolean,
): Promise<TaskReport> {
  const span = spanOf(divided, task);
  const versions = new TaskVersions();
  const partial = await divided.parts.reduce(span, {
    signal,
    limits: taskLimits,
    keepChunks: false,
    onVersion: versions.onVersion,
  });
  versions.assertOneState();
  return {
    counts: { ...noCounts, bytesRead: divided.parts.chunkBytes * (span.to - span.from) },
    seen: isWatched ? versions.digest() : 0n,
    partial,
  };
}

/** Merges the partial results of all tasks, in their order. */
class MergedFold<T> {
  readonly #divided: DividedFold<T>;
  readonly #merge: PartMerge<T>;
  #next: number;

  /** @param from what has been merged before. @throws TypeError for a malformed state */
  constructor(divided: DividedFold<T>, from?: MergedTasks) {
    this.#divided = divided;
    this.#merge = divided.parts.createMerge(from?.state);
    this.#next = from?.tasks ?? 0;
  }

  /** @throws TypeError for a malformed partial result */
  async add(partial: unknown): Promise<void> {
    if (!Array.isArray(partial)) throw new TypeError('a task returned no list of partial results');
    const pause = createPause();
    for (const _ of this.#merge.add(spanOf(this.#divided, this.#next++), partial)) await pause();
  }

  state(): unknown {
    return this.#merge.state();
  }

  finish(): T {
    return this.#merge.finish();
  }
}

/** @param finish computes the result from the merged one */
export function mergingOf<T>(
  divided: DividedFold<T>,
  codec: PartialCodec,
  finish: (merged: T, ...more: Parameters<TaskMerge['finish']>) => Promise<JobResult>,
): JobMerging {
  return {
    partialBytes: divided.partialBytes,
    codec,
    start(from) {
      const merged = new MergedFold(divided, from);
      return {
        add: (partial) => merged.add(partial),
        state: () => merged.state(),
        finish: (...more) => finish(merged.finish(), ...more),
      };
    },
  };
}

/** The digest that `runFold` would report now; undefined without versions. */
export async function seenByFold(
  divided: DividedFold<unknown>,
  task: number,
  { signal }: CallOptions,
): Promise<bigint | undefined> {
  const { slice, parts } = divided;
  const stored = slice.planned?.stored;
  if (stored === undefined) return currentVersions(slice, signal);
  const versions = new TaskVersions();
  const found = await parts.versions(spanOf(divided, task), { signal, fresh: true });
  if (found === undefined) return undefined;
  const { array } = stored;
  for (const [key, version] of found)
    versions.onVersion({ store: array.context.store.label, path: array.path, key }, version);
  // Masks and weights are computed from other arrays, as a whole.
  for (const input of slice.inputs)
    if (input !== stored && !(await lookAtVersions(input, versions, signal))) return undefined;
  return versions.digest();
}
