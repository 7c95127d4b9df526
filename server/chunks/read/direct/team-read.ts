/**
 * The part of a direct read that threads share: divides chunks into windows of tasks, which the threads of
 * the pool and this thread take.
 */
import { allowManyListeners } from '#platform';
import { encodedBuffers } from '../../../core/bytes/buffer-pool.js';
import type { LocalFiles } from '../../../store/store.js';
import { createPause } from '../../../core/turns.js';
import type { CodecPool } from '../../../threads/codec-pool.js';
import type { DirectPort, Opening } from '../../../threads/direct-port.js';
import { placedChunkBytes, type ReadPlan, type ReadTask } from '../../../format/plan/plan.js';
import type { DirectAccess, Sink } from '../../../compute/reduce/sink.js';
import { buildWindow, type LocatedTask, type WindowBounds } from './build-window.js';
import { chunkNs, type DirectWay } from '../choose.js';
import { WindowPump, type ActiveWindow } from './pump.js';
import { Rings, SLOT_BYTES } from '../../../threads/rings.js';
import { type Destination, type SharedPlan, sharePlan } from '../../../threads/direct/protocol.js';
import { alignedBytes } from '../../../threads/direct/region-copy.js';
import { chunkState } from '../../../threads/direct/window.js';

// The options of a direct read, and the outcome of its chunks.

export interface DirectOptions {
  readonly way: DirectWay;
  /** The threads that read, unless this thread reads all chunks. */
  readonly pool: CodecPool | undefined;
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onVersion: ((key: string, version: string | undefined) => void) | undefined;
  /** Receives the number of decoded chunks. */
  readonly onDecoded: (chunks: number) => void;
}

/** The results for the chunks of one batch. */
export interface Results {
  readonly absent: ReadTask[];
  /** Keys of objects with chunks that could not be read. */
  readonly failed: Set<string>;
  decoded: number;
}

/**
 * Number of decoded bytes per window. Other work of the threads waits for at most one window of each batch.
 */
const WINDOW_BYTES = 16 * 2 ** 20;
/** Like `localBounds`, for reads that block a thread. */
const span = { spanBytes: 2 ** 20, gapBytes: 4096 };

/**
 * Decoding time of one task in nanoseconds: long enough that taking a task costs little in comparison, short
 * enough to balance the threads.
 */
const TASK_NS = 1_000_000;
const MAX_TASK_CHUNKS = 16;

export function taskBounds(plan: ReadPlan): WindowBounds {
  const regionBytes = alignedBytes(placedChunkBytes(plan));
  const taskChunks = Math.max(1, Math.min(MAX_TASK_CHUNKS, Math.floor(TASK_NS / chunkNs(plan))));
  return { taskChunks, taskBytes: Math.max(SLOT_BYTES, regionBytes), ...span };
}

let reads = 0;

export class TeamRead {
  readonly #number = ++reads;
  readonly #plan: ReadPlan;
  readonly #shared: SharedPlan;
  readonly #access: DirectAccess;
  readonly #options: DirectOptions & { readonly pool: CodecPool };
  readonly #rings: Rings | undefined;
  readonly #bounds: WindowBounds;
  readonly #pump: WindowPump;
  readonly #opened = new Set<DirectPort>();
  readonly #pause = createPause();
  #windows = 0;

  /**
   * @param decode decodes a chunk on this thread, and returns its partial result for a reduction; undefined if this
   * thread does not decode
   */
  constructor(
    plan: ReadPlan,
    access: DirectAccess,
    decode: ((task: ReadTask, encoded: Uint8Array) => unknown) | undefined,
    options: DirectOptions & { readonly pool: CodecPool },
  ) {
    this.#plan = plan;
    this.#shared = sharePlan(plan);
    this.#access = access;
    this.#options = options;
    this.#bounds = taskBounds(plan);
    this.#rings = access.kind === 'regions' ? new Rings() : undefined;
    this.#pump = new WindowPump({
      plan,
      rings: this.#rings,
      place: access.kind === 'regions' ? (task, region) => access.region(task, region) : () => {},
      memory: { maxBytes: options.maxBytes, pool: encodedBuffers },
      decode,
      needsReplies: access.kind === 'partials' || options.onVersion !== undefined,
    });
  }

  async run(
    located: readonly LocatedTask[],
    files: LocalFiles,
    results: Results,
    sink: Pick<Sink<unknown>, 'partial'>,
  ): Promise<void> {
    const perWindow = Math.max(1, Math.floor(WINDOW_BYTES / Math.max(1, this.#plan.cost.chunkBytes)));
    try {
      for (let next = 0; next < located.length && !this.#options.signal.aborted; next += perWindow)
        await this.#runWindow(located.slice(next, next + perWindow), files, results, sink);
    } catch (error) {
      this.#rings?.discard();
      throw error;
    }
  }

  /** Call this only when no `run` is pending. */
  close(): void {
    for (const port of this.#opened) port.close(this.#number, this.#access.kind === 'result');
    this.#rings?.release();
  }

  async #runWindow(
    located: readonly LocatedTask[],
    files: LocalFiles,
    results: Results,
    sink: Pick<Sink<unknown>, 'partial'>,
  ): Promise<void> {
    const start = performance.now();
    const { onVersion } = this.#options;
    const { window, tasks } = buildWindow(this.#plan, located, this.#windows++, this.#bounds);
    const active = await this.#share({ window, tasks, files });
    const { requests, bytes, versions, partials } = active.tally;
    const read = window.read();
    const milliseconds = performance.now() - start;
    files.ended({ requests: requests + read.requests, bytes: bytes + read.bytes, milliseconds });
    const fileVersions = new Map(versions);
    const reduced = new Map(partials);
    for (let at = 0; at < tasks.length; at++) {
      const chunk = tasks[at];
      if (chunk === undefined) continue;
      const { task, part, object } = chunk;
      const state = window.stateOf(at);
      if (state === chunkState.absent) results.absent.push(task);
      else if (this.#hasArrived(state, reduced.has(at))) {
        results.decoded++;
        if (reduced.has(at)) sink.partial?.(task, reduced.get(at));
        onVersion?.(object, part.version ?? fileVersions.get(window.chunk(at).file));
      } else results.failed.add(object);
      const pausing = this.#pause();
      if (pausing !== undefined) await pausing;
    }
  }

  /** Whether the contents of a chunk are in the result. A lost thread may have decoded chunks that never arrived. */
  #hasArrived(state: number, hasPartial: boolean): boolean {
    switch (this.#access.kind) {
      case 'regions':
        return state === chunkState.placed;
      case 'partials':
        return hasPartial && (state === chunkState.done || state === chunkState.placed);
      case 'result':
        return state === chunkState.done || state === chunkState.placed;
    }
  }

  /**
   * Runs a window on all threads and on this one. Resolves when no thread accesses the result for this window
   * any longer.
   */
  async #share(work: Pick<ActiveWindow, 'window' | 'tasks' | 'files'>): Promise<ActiveWindow> {
    const { signal, pool } = this.#options;
    const cancel = (): void => work.window.cancel();
    allowManyListeners(signal);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      const ports = pool.directThreads();
      for (const port of ports) this.#opened.add(port);
      const replies = ports.map(async (port) => {
        const opening = port.hasOpened(this.#number) ? undefined : this.#openingOf(port, work.files);
        const reply = await port.run(this.#number, opening, work.window.shared, signal);
        if (reply === undefined) this.#rings?.drop(port);
        return reply;
      });
      return await this.#pump.run(work, replies);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #openingOf(port: DirectPort, { access }: LocalFiles): Opening {
    const { maxBytes } = this.#options;
    const destination = this.#destinationOf(port);
    return {
      message: { plan: this.#shared, access, maxBytes, destination },
      chain: this.#plan.layout.chain,
      onWake: () => this.#pump.wake(),
    };
  }

  #destinationOf(port: DirectPort): Destination {
    if (this.#access.kind !== 'regions') return this.#access;
    if (this.#rings === undefined) throw new TypeError('a direct read into regions requires rings');
    return this.#rings.of(port);
  }
}
