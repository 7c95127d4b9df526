/**
 * Boxes that threads compute from several arrays: a thread reads the chunks of all inputs of a box, combines
 * their values by a program, and reduces the result. Only a partial result is sent.
 */
import { allowManyListeners } from '#platform';
import { throwIfAborted } from '../../../core/errors.js';
import { untilAborted } from '../../../store/deadline.js';
import type { LocalFiles } from '../../../store/store.js';
import { createPause } from '../../../core/turns.js';
import type { ChunkSource } from '../fetch.js';
import { planTasks, type ReadPlan, type ReadTask } from '../../../format/plan/plan.js';
import type { CodecPool } from '../../../threads/codec-pool.js';
import type { BoxInput, DirectPort } from '../../../threads/direct-port.js';
import { PARTIAL_SLOT_BYTES } from '../../../threads/slots.js';
import { buildWindow, type BuiltWindow, type LocatedTask } from './build-window.js';
import { type BoxReply, type BoxRule, sharePlan } from '../../../threads/direct/protocol.js';
import { taskBounds } from './team-read.js';
import { chunkState } from '../../../threads/direct/window.js';

/** The part of an array that a box needs. */
export interface BoxPart {
  readonly plan: ReadPlan;
  readonly source: ChunkSource;
  /** The axis of the box for each dimension of the plan's shape. */
  readonly axes: readonly number[];
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
  /** Called for every object, with its version, if a thread has reduced the box. */
  readonly onVersion: (key: string, version: string | undefined) => void;
  /** Receives the number of decoded chunks. */
  readonly onDecoded: (chunks: number) => void;
}

/** Result of a box in a thread. */
export interface ReducedBox {
  readonly partial: unknown;
  /** Call when the partial result has been merged: its memory is reused. */
  release(): void;
}

const MAX_KEPT_SLOTS = 16;

/** Unused memory for partial results. Kept, because the garbage collector frees shared memory late. */
const slots: SharedArrayBuffer[] = [];

/** Distributes boxes to the threads of a pool. */
export class BoxThreads {
  readonly #pool: CodecPool;
  readonly #signal: AbortSignal | undefined;
  /** Number of boxes of each thread. */
  readonly #boxes = new Map<DirectPort, number>();

  constructor(pool: CodecPool, signal: AbortSignal | undefined) {
    this.#pool = pool;
    this.#signal = signal;
  }

  /**
   * @returns undefined if no thread could reduce the box
   * @throws store errors from locating chunks; AbortedError as soon as the signal fires: a thread does not begin the
   * box, or skips the chunks that it has not read
   */
  async reduce(parts: readonly BoxPart[], rule: BoxRule): Promise<ReducedBox | undefined> {
    const located: Located[] = [];
    for (const part of parts) {
      const input = await locate(part, this.#signal);
      if (input === undefined) return undefined;
      located.push(input);
    }
    throwIfAborted(this.#signal);
    const slot = slots.pop() ?? new SharedArrayBuffer(PARTIAL_SLOT_BYTES);
    const release = (): void => {
      if (slots.length < MAX_KEPT_SLOTS) slots.push(slot);
    };
    const running = this.#run(located, rule, slot);
    let box: BoxReply['box'];
    try {
      box = await untilAborted(this.#signal, running);
    } catch (error) {
      // The thread may write to the slot until it replies.
      running.then(release).catch(() => undefined);
      throw error;
    }
    if (box === undefined || !located.every(({ files }) => isConfirmed(files))) {
      release();
      return undefined;
    }
    const { partial, versions } = box;
    located.forEach((input, k) => report(input, parts[k], versions[k] ?? []));
    return { partial, release };
  }

  /** Resolves when the thread has replied, also after an abort. */
  async #run(located: readonly Located[], rule: BoxRule, slot: SharedArrayBuffer): Promise<BoxReply['box']> {
    const boxesOf = (port: DirectPort): number => this.#boxes.get(port) ?? 0;
    const [port] = [...this.#pool.directThreads()].sort((a, b) => boxesOf(a) - boxesOf(b));
    if (port === undefined) return undefined;
    this.#boxes.set(port, boxesOf(port) + 1);
    const signal = this.#signal;
    const cancel = (): void => {
      for (const { built } of located) built.window.cancel();
    };
    if (signal !== undefined) allowManyListeners(signal);
    signal?.addEventListener('abort', cancel, { once: true });
    const start = performance.now();
    try {
      return await port.reduceBox(located.map(({ input }) => input), rule, slot, signal); // prettier-ignore
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#boxes.set(port, boxesOf(port) - 1);
      const milliseconds = performance.now() - start;
      for (const { files, built } of located) files.ended({ ...built.window.read(), milliseconds });
    }
  }
}

interface Located {
  readonly input: BoxInput;
  readonly built: BuiltWindow;
  readonly files: LocalFiles;
  /** Tasks of absent chunks, which are not part of the window. */
  readonly absent: readonly ReadTask[];
  /** Versions of the shards in which some of the inner chunks are absent; undefined for absent shards. */
  readonly lacking: ReadonlyMap<string, string | undefined>;
}

/** Locates the chunks of all inputs. @returns undefined if the store must read the chunks */
async function locate(
  { plan, source, axes, maxBytes }: BoxPart,
  signal: AbortSignal | undefined,
): Promise<Located | undefined> {
  const pause = createPause();
  const tasks: ReadTask[] = [];
  for (const task of planTasks(plan)) {
    tasks.push(task);
    await pause();
  }
  const keys = tasks.map(({ location }) => ({
    object: source.objectKey(location.object),
    entries: location.entries,
  }));
  const lacking = new Map<string, string | undefined>();
  const onLacking = (object: string, version: string | undefined): void => {
    lacking.set(object, version);
  };
  const parts = await source.store.locate?.(keys, { signal, onLacking });
  if (parts === undefined) return undefined;
  const located: LocatedTask[] = [];
  const absent: ReadTask[] = [];
  for (const [i, task] of tasks.entries()) {
    const part = parts.parts[i];
    if (part === 'absent') absent.push(task);
    else if (part === undefined || (part.length ?? 0) > maxBytes) return undefined;
    else located.push({ task, part, object: keys[i]?.object ?? '' });
  }
  const { files } = parts;
  const built = buildWindow(plan, located, 0, taskBounds(plan));
  const input = {
    chain: plan.layout.chain,
    plan: sharePlan(plan),
    axes,
    access: files.access,
    maxBytes,
    window: built.window.shared,
    absent: absent.map(({ chunk }) => chunk),
    fill: source.fill,
  };
  return { input, built, files, absent, lacking };
}

/** Whether the folder is still the same one. If it was replaced, the store reports the error. */
export function isConfirmed(files: LocalFiles): boolean {
  try {
    files.confirm();
    return true;
  } catch {
    return false;
  }
}

function report(
  { built: { window, tasks }, absent, lacking }: Located,
  part: BoxPart | undefined,
  versions: readonly (readonly [file: number, version: string])[],
): void {
  if (part === undefined) return;
  const missing = [...absent];
  const fileVersions = new Map(versions);
  for (const [at, { task, part: file, object }] of tasks.entries())
    if (window.stateOf(at) === chunkState.absent) missing.push(task);
    else part.onVersion(object, file.version ?? fileVersions.get(window.chunk(at).file));
  for (const [object, version] of lacking) part.onVersion(object, version);
  for (const { location } of missing)
    if (location.entries.length === 0) part.onVersion(part.source.objectKey(location.object), undefined);
  part.onDecoded(tasks.length + absent.length - missing.length);
}
