/** Partial reads of uncompressed chunks: only the bytes that a task needs are read. */
import type { ReadPlan, ReadTask } from '../../format/plan/plan.js';
import { extremesOf, spanOf } from '../../format/plan/region.js';

/** A part of a chunk, in bytes. */
export interface ChunkPart {
  readonly offset: number;
  readonly length: number;
}

/**
 * @param maxBytes maximum size of a part; undefined to read whole chunks
 * @returns a function that returns undefined for a chunk that is read as a whole
 */
export function createPartOf(
  plan: ReadPlan,
  maxBytes: number | undefined,
): ((task: ReadTask) => ChunkPart | undefined) | undefined {
  if (maxBytes === undefined) return undefined;
  return (task) => {
    const { start, end } = spanOf(plan, task);
    const length = end - start;
    return length > maxBytes ? undefined : { offset: start, length };
  };
}

/** Converts a task to positions relative to the start of the part. Strides do not change. */
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
