/** What a job does, divided into tasks that are computed from their numbers. */
import type { Block, CallOptions, Hierarchy, JsonValue, StreamSession, ZarrArray } from '../zarr/index.js';
import type { JobSpec } from './job.js';
import type { CreateNodesOptions } from './kinds/create-nodes.js';
import type { JobStore } from './stores.js';

/** Counts of finished tasks. */
export interface TaskCounts {
  /** Decoded bytes of the chunks that were read. */
  readonly bytesRead: number;
  /** Stored bytes of the objects that were written. */
  readonly bytesWritten: number;
  readonly chunksWritten: number;
}

export const noCounts: TaskCounts = { bytesRead: 0, bytesWritten: 0, chunksWritten: 0 };

export function addCounts(a: TaskCounts, b: TaskCounts): TaskCounts {
  return {
    bytesRead: a.bytesRead + b.bytesRead,
    bytesWritten: a.bytesWritten + b.bytesWritten,
    chunksWritten: a.chunksWritten + b.chunksWritten,
  };
}

/** A chunk that cannot be read. */
export interface BrokenChunk {
  readonly path: string;
  readonly key: string | undefined;
  readonly code: string;
  readonly message: string;
}

export interface TaskReport {
  readonly counts: TaskCounts;
  /** The digest of the versions that were read: 0 if they need no comparison, undefined if there are none. */
  readonly seen: bigint | undefined;
  /** Partial results, merged in the order of the tasks. */
  readonly partial?: readonly unknown[];
  /** Chunks that a verification found to be unreadable. */
  readonly broken?: readonly BrokenChunk[];
}

/** The state of the worker that runs tasks one after the other. */
export interface TaskContext {
  readonly signal: AbortSignal | undefined;
  /** Memory for values, reused by consecutive tasks. */
  readonly memory: Pick<StreamSession, 'outFor'>;
  /** An array of the destination. */
  target(path: string): Promise<ZarrArray>;
}

/** A node that the job creates. */
export interface PlannedNode {
  readonly path: string;
  readonly kind: 'group' | 'array';
  readonly shape?: readonly number[];
  readonly dtype?: string;
  readonly chunks?: readonly number[];
  readonly shards?: readonly number[];
}

export interface JobPlan {
  readonly job: JobSpec;
  /** Arrays of the source's store whose values the job reads, if these are not all below its path: callers who see it may read them. */
  readonly reads: readonly string[];
  /** Digest of the job, of the versions of its sources' metadata, and of how it is divided into tasks. */
  readonly digest: string;
  readonly tasks: number;
  /** The first task of each stage. A stage begins when all tasks of the one before have finished. */
  readonly stages: readonly number[];
  /** Memory of the largest task, in bytes. */
  readonly needBytes: number;
  /** Decoded bytes of all tasks, approximately. */
  readonly totalBytes: number;
  readonly nodes: readonly PlannedNode[];
  readonly destination: { readonly store: JobStore; readonly path: string } | undefined;
  /** Runs a task. Running it again has the same effect as running it once. */
  run(task: number, context: TaskContext): Promise<TaskReport>;
  /** The digest that `run` would report now, without reading the values. */
  seenNow(task: number, options: CallOptions): Promise<bigint | undefined>;
  /** Whether the metadata of the sources is that of the plan. */
  isSourceCurrent(options: CallOptions): Promise<boolean>;
  /** Creates the nodes, or keeps those of an earlier attempt. */
  prepare?(hierarchy: Hierarchy, options: CreateNodesOptions): Promise<void>;
  /** Completes the destination. */
  finish?(hierarchy: Hierarchy | undefined, options: CallOptions): Promise<JobResult>;
  /** Set if the result is merged from partial results of the tasks. Then no task writes to the destination. */
  readonly merging?: JobMerging;
}

/** How the partial results of tasks are merged. */
export interface JobMerging {
  /** Partial result of a task, in bytes. */
  readonly partialBytes: number;
  /** Partial results and lists of one state as JSON. */
  readonly codec: PartialCodec;
  /** @param from what another merge has merged, to continue with. @throws TypeError for a malformed state */
  start(from?: MergedTasks): TaskMerge;
}

/** The merged partial results of the first tasks. */
export interface MergedTasks {
  readonly tasks: number;
  readonly state: unknown;
}

export interface TaskMerge {
  /** Merges the partial result of the next task. @throws TypeError for a malformed one */
  add(partial: unknown): Promise<void>;
  /** What has been merged, as plain data that changes with the next `add`. */
  state(): unknown;
  /** Computes the result, and completes the destination. Called once. */
  finish(hierarchy: Hierarchy | undefined, options: CallOptions): Promise<JobResult>;
}

/** Partial results as JSON, exactly. */
export interface PartialCodec {
  encode(partials: readonly unknown[]): JsonValue;
  /** @throws InputError for another form */
  decode(json: unknown): readonly unknown[];
}

/** What a job returns. */
export interface JobResult {
  readonly json?: JsonValue;
  /** The values of a slice. */
  readonly block?: Block;
  /** What completing the destination has written. */
  readonly counts?: TaskCounts;
}

export const noResult: JobResult = {};
