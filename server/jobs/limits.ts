/** Bounds of jobs and of their tasks. */
import type { Limits } from '../zarr/index.js';

const MIB = 2 ** 20;

/** Memory of all tasks of a process that run at the same time, in bytes. */
export const DEFAULT_JOB_MEMORY = 192 * MIB;

/** Values of one task, in bytes, unless a single stored object has more. */
export const TASK_VALUE_BYTES = 32 * MIB;
/** Memory of one task, in bytes, unless a single stored object needs more. */
export const TASK_NEED_BYTES = 96 * MIB;

/** Decoded bytes of the chunks of one task, unless more chunks are needed for one value or object. */
export const TASK_READ_BYTES = 256 * MIB;

/** Maximum number of arrays and groups of a job. */
export const MAX_NODES = 100_000;

/** The limits of a task's reads and writes: its memory is bounded by the division into tasks. */
export const taskLimits: Limits = {
  maxOutputBytes: 2 ** 40,
  maxDecodedBytes: 2 ** 50,
  maxReducedBytes: 2 ** 60,
  maxWork: Number.MAX_SAFE_INTEGER,
  maxChunks: Number.MAX_SAFE_INTEGER,
};

export const MIN_JOB_MEMORY = MIB;
export const MAX_JOB_MEMORY = 2 ** 46;
