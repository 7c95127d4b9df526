/**
 * A direct read: threads open, read, decode and place chunks. This thread plans, copies from rings unless the
 * result is in shared memory, decodes too if allowed, and waits. Whatever a thread cannot process (a link, a
 * modified file, corrupt data) is left to the pipeline, which repeats it and reports the error.
 */
import { decodeChunk } from '../../codec/decode-chunk.js';
import { throwIfAborted } from '../../errors.js';
import { fileBuffers } from '../../store/filesystem/buffer-pool.js';
import type { LocalFiles } from '../../store/store.js';
import { createPause } from '../../turns.js';
import type { ChunkSource } from '../fetch.js';
import type { CodecPool } from '../pool/codec-pool.js';
import type { DirectPort } from '../pool/direct-port.js';
import { placedChunkBytes, type ReadPlan, type ReadTask } from '../plan.js';
import { neededSpan } from '../region.js';
import { NS_PER_ELEMENT } from '../sinks/reduce.js';
import type { DirectAccess, Sink } from '../sink.js';
import { buildWindow, type LocatedTask, type WindowBounds } from './build-window.js';
import { WindowPump, type ActiveWindow } from './pump.js';
import { Rings, SLOT_BYTES } from './rings.js';
import { sharePlan } from './shared-plan.js';
import type { Destination, SharedPlan } from './protocol.js';
import { reduceChunk } from './reduce-chunk.js';
import { alignedBytes } from './region-copy.js';
import { chunkState } from './window.js';

export interface DirectOptions {
  readonly pool: CodecPool;
  readonly decodesHere: boolean;
  /** Maximum stored bytes of a chunk. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onVersion: ((key: string, version: string | undefined) => void) | undefined;
  /** Receives the number of decoded chunks. */
  readonly onDecoded: (chunks: number) => void;
}

export interface DirectOutcome {
  /** Tasks of absent chunks. */
  readonly absent: readonly ReadTask[];
  /** Tasks left to the pipeline: all tasks of an object, so that they use the same version. */
  readonly left: readonly ReadTask[];
}

/** Decoded bytes per window. Other work of the threads waits for at most two windows. */
const WINDOW_BYTES = 16 * 2 ** 20;
const WINDOWS_AT_ONCE = 2;
/** Like `localBounds`, for reads that block a thread. */
const span = { spanBytes: 2 ** 20, gapBytes: 4096 };

type DirectSink = Pick<Sink<unknown>, 'chunk' | 'into' | 'partial'>;

let reads = 0;

export class DirectRead {
  readonly #number = ++reads;
  readonly #plan: ReadPlan;
  readonly #shared: SharedPlan;
  readonly #source: ChunkSource;
  readonly #sink: DirectSink;
  readonly #access: DirectAccess;
  readonly #options: DirectOptions;
  readonly #rings: Rings | undefined;
  readonly #bounds: WindowBounds;
  readonly #pump: WindowPump;
  readonly #opened = new Set<DirectPort>();
  readonly #pause = createPause();
  #windows = 0;

  constructor(
    plan: ReadPlan,
    source: ChunkSource,
    sink: DirectSink,
    access: DirectAccess,
    options: DirectOptions,
  ) {
    this.#plan = plan;
    this.#shared = sharePlan(plan);
    this.#source = source;
    this.#sink = sink;
    this.#access = access;
    this.#options = options;
    const regionBytes = alignedBytes(placedChunkBytes(plan));
    this.#bounds = { ...span, taskBytes: Math.max(SLOT_BYTES, regionBytes) };
    this.#rings = access.kind === 'regions' ? new Rings() : undefined;
    this.#pump = new WindowPump({
      plan,
      rings: this.#rings,
      place: access.kind === 'regions' ? (task, region) => access.region(task, region) : () => {},
      memory: { maxBytes: options.maxBytes, pool: fileBuffers },
      decode: options.decodesHere ? (task, encoded) => this.#decode(task, encoded) : undefined,
      nsPerElement: access.kind === 'partials' ? NS_PER_ELEMENT : 0,
    });
  }

  /** @throws store errors of locating chunks; AbortedError, after the last write of a thread to the result */
  async run(tasks: readonly ReadTask[]): Promise<DirectOutcome> {
    const { signal, maxBytes } = this.#options;
    const keys = [];
    for (const { place } of tasks) {
      keys.push({ object: this.#source.objectKey(place.object), entries: place.entries });
      await this.#pause();
    }
    const found = await this.#source.store.locate?.(keys, { signal });
    throwIfAborted(signal);
    if (found === undefined) return { absent: [], left: tasks };
    const [absent, located]: [ReadTask[], LocatedTask[]] = [[], []];
    const failed = new Set<string>();
    for (const [i, task] of tasks.entries()) {
      const part = found.parts[i];
      if (part === 'absent') absent.push(task);
      else if (part === undefined || (part.length ?? 0) > maxBytes) failed.add(keys[i]?.object ?? '');
      else located.push({ task, part });
      await this.#pause();
    }
    await this.#runWindows(located, found.files, absent, failed);
    throwIfAborted(signal);
    if (!isConfirmed(found.files)) return { absent: [], left: tasks };
    const isLeft = ({ place }: ReadTask): boolean =>
      failed.size > 0 && failed.has(this.#source.objectKey(place.object));
    for (const task of absent)
      if (task.place.entries.length === 0) this.#options.onVersion?.(keyOf(this.#source, task), undefined);
    return { absent: absent.filter((task) => !isLeft(task)), left: tasks.filter(isLeft) };
  }

  /** Call only when no `run` is pending. */
  close(): void {
    for (const port of this.#opened) port.close(this.#number);
    this.#rings?.release();
  }

  /** Decodes a chunk on this thread. @returns its partial result, for a reduction */
  #decode(task: ReadTask, encoded: Uint8Array): unknown {
    const plan = this.#plan;
    if (this.#access.kind === 'partials') return reduceChunk(plan, task, encoded, this.#access.rule);
    const [into, needed] = [this.#sink.into?.(task), neededSpan(plan, task)];
    const { chain } = plan.layout;
    this.#sink.chunk(task, decodeChunk(chain, encoded, plan.cost.chunkBytes, into, needed));
    return undefined;
  }

  /** Adds tasks of absent chunks to `absent`, and the objects of unreadable chunks to `failed`. */
  async #runWindows(
    located: readonly LocatedTask[],
    files: LocalFiles,
    absent: ReadTask[],
    failed: Set<string>,
  ): Promise<void> {
    const perWindow = Math.max(1, Math.floor(WINDOW_BYTES / Math.max(1, this.#plan.cost.chunkBytes)));
    let next = 0;
    const workers = Array.from({ length: WINDOWS_AT_ONCE }, async () => {
      while (next < located.length && !this.#options.signal.aborted) {
        const some = located.slice(next, next + perWindow);
        next += perWindow;
        await this.#runWindow(some, files, absent, failed);
      }
    });
    await Promise.all(workers);
  }

  async #runWindow(
    located: readonly LocatedTask[],
    files: LocalFiles,
    absent: ReadTask[],
    failed: Set<string>,
  ): Promise<void> {
    const start = performance.now();
    const { onVersion, onDecoded } = this.#options;
    const built = buildWindow(this.#plan, located, this.#windows++, this.#bounds);
    const { window, tasks } = built;
    const active = await this.#share({ ...built, files });
    const { requests, bytes, versions, partials } = active.tally;
    files.ended({ requests, bytes, milliseconds: performance.now() - start });
    const fileVersions = new Map(versions);
    const reduced = new Map(partials);
    let decoded = 0;
    for (const [at, { task, part }] of tasks.entries()) {
      const state = window.stateOf(at);
      if (state === chunkState.absent) absent.push(task);
      // A thread that was lost may have taken its partial results with it.
      else if (state === chunkState.done && (this.#access.kind !== 'partials' || reduced.has(at))) {
        decoded++;
        if (reduced.has(at)) this.#sink.partial?.(task, reduced.get(at));
        onVersion?.(keyOf(this.#source, task), part.version ?? fileVersions.get(window.chunk(at).file));
      } else failed.add(keyOf(this.#source, task));
      await this.#pause();
    }
    if (decoded > 0) onDecoded(decoded);
  }

  /**
   * Runs a window on all threads and on this one. Resolves when no thread accesses the result for it any
   * more.
   */
  async #share(given: Pick<ActiveWindow, 'window' | 'tasks' | 'files'>): Promise<ActiveWindow> {
    const { signal, pool, maxBytes } = this.#options;
    const cancel = (): void => given.window.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      const ports = pool.directThreads();
      for (const port of ports) {
        if (this.#opened.has(port)) continue;
        this.#opened.add(port);
        const plan = this.#shared;
        const { access } = given.files;
        const destination = this.#destinationOf(port);
        const message = { read: this.#number, plan, access, maxBytes, destination };
        port.open(message, this.#plan.layout.chain, () => this.#pump.wake());
      }
      const replies = ports.map(async (port) => {
        const reply = await port.run(this.#number, given.window.shared, signal);
        if (reply === undefined) this.#rings?.drop(port);
        return reply;
      });
      return await this.#pump.run(given, replies);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #destinationOf(port: DirectPort): Destination {
    if (this.#access.kind !== 'regions') return this.#access;
    return { kind: 'ring', ring: this.#rings?.of(port) ?? new SharedArrayBuffer(0) };
  }
}

function keyOf(source: ChunkSource, { place }: ReadTask): string {
  return source.objectKey(place.object);
}

/** If the folder was replaced, the store reports it. */
function isConfirmed(files: LocalFiles): boolean {
  try {
    files.confirm();
    return true;
  } catch {
    return false;
  }
}
