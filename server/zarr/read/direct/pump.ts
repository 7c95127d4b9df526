/** The owner's part of a direct read's windows: copies from rings, decodes tasks too, and waits. */
import { nextTurn } from '#platform';
import { decodingNsPerByte } from '../../codec/speed.js';
import type { ReadMemory } from '../../store/filesystem/read-file.js';
import type { LocalFiles } from '../../store/store.js';
import { asError } from '../deferred.js';
import { transformNs, type ReadPlan, type ReadTask } from '../plan.js';
import type { LocatedTask } from './build-window.js';
import type { WindowReply } from './protocol.js';
import { createTally, readTask, type TaskTally } from './read-task.js';
import { alignedBytes, regionBytes } from './region-copy.js';
import type { FilledSlot } from './ring.js';
import type { Rings } from './rings.js';
import { chunkState, type Window } from './window.js';

/** Milliseconds that this thread copies and decodes before it yields. */
const TURN_MS = 2;
/** Chunks that take longer to decode are left to the threads. */
const MAX_BLOCKING_NS = 5_000_000;
/** Larger chunks are left to the threads as well, to bound blocking reads. */
const MAX_CHUNK_BYTES = 15 * 2 ** 16;

export interface ActiveWindow {
  readonly window: Window;
  readonly tasks: readonly LocatedTask[];
  readonly files: LocalFiles;
  readonly tally: TaskTally;
}

export interface PumpOptions {
  readonly plan: ReadPlan;
  readonly rings: Rings | undefined;
  /** Receives the contents of a filled slot. */
  readonly place: (task: ReadTask, region: Uint8Array) => void;
  readonly memory: ReadMemory;
  /**
   * Decodes a chunk into the result, or returns its partial result; undefined if this thread does not decode.
   */
  readonly decode: ((task: ReadTask, encoded: Uint8Array) => unknown) | undefined;
  /** Nanoseconds per element on this thread, besides decoding and transforming. */
  readonly nsPerElement: number;
}

interface Running extends ActiveWindow {
  /** Number of threads that have not replied. */
  pending: number;
  readonly resolve: (window: ActiveWindow) => void;
  readonly reject: (error: Error) => void;
}

export class WindowPump {
  readonly #options: PumpOptions;
  readonly #decodesHere: boolean;
  readonly #running = new Map<number, Running>();
  #isPumping = false;
  #wakeUp: (() => void) | undefined;

  constructor(options: PumpOptions) {
    this.#options = options;
    const { cost, layout, dtype } = options.plan;
    const elementsNs = (cost.chunkBytes / (dtype.itemSize ?? 1)) * options.nsPerElement;
    const chunkNs =
      cost.chunkBytes * decodingNsPerByte(layout.chain) + transformNs(options.plan) + elementsNs;
    this.#decodesHere =
      options.decode !== undefined && cost.chunkBytes <= MAX_CHUNK_BYTES && chunkNs <= MAX_BLOCKING_NS;
  }

  /**
   * @param replies of the threads that take tasks of the window; undefined for a lost thread
   * @returns resolves when all have replied and all slots are copied
   */
  run(
    given: Pick<ActiveWindow, 'window' | 'tasks' | 'files'>,
    replies: readonly Promise<WindowReply | undefined>[],
  ): Promise<ActiveWindow> {
    return new Promise((resolve, reject) => {
      const tally = createTally();
      const running: Running = { ...given, tally, pending: replies.length, resolve, reject };
      const replied = (reply: WindowReply | undefined): void => {
        running.pending--;
        if (reply !== undefined) addTo(tally, reply);
        this.wake();
      };
      this.#running.set(given.window.shared.number, running);
      for (const reply of replies) reply.then(replied, () => replied(undefined));
      this.wake();
      if (!this.#isPumping) this.#pump().catch(reject);
    });
  }

  wake(): void {
    this.#wakeUp?.();
    this.#wakeUp = undefined;
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      while (this.#running.size > 0) {
        if (this.#workForATurn()) await nextTurn();
        else if (this.#running.size > 0) await this.#sleep();
      }
    } catch (error) {
      for (const { window, reject } of this.#running.values()) {
        window.cancel();
        reject(asError(error));
      }
      this.#running.clear();
    } finally {
      this.#isPumping = false;
    }
  }

  /** @returns false if there is nothing to do now */
  #workForATurn(): boolean {
    const ends = performance.now() + TURN_MS;
    while (performance.now() < ends) {
      if (this.#options.rings?.drainOne((slot) => this.#copy(slot)) === true) continue;
      this.#finish();
      if (!this.#decodeOne()) return false;
    }
    return true;
  }

  #sleep(): Promise<void> | undefined {
    if (this.#options.rings?.sleep() === false) return undefined;
    return new Promise((resolve) => (this.#wakeUp = resolve));
  }

  /** All slots are copied: windows whose threads have replied are complete. Tasks not taken remain open. */
  #finish(): void {
    for (const [number, running] of this.#running) {
      if (running.pending > 0) continue;
      this.#running.delete(number);
      running.resolve(running);
    }
  }

  #copy({ window: number, task, bytes }: FilledSlot): void {
    const running = this.#running.get(number);
    if (running === undefined || running.window.isCancelled) return;
    const { window, tasks } = running;
    const { first, end } = window.chunksOf(task);
    let start = 0;
    for (let at = first; at < end; at++) {
      const one = tasks[at]?.task;
      if (one === undefined) return;
      const length = regionBytes(this.#options.plan, one);
      if (window.stateOf(at) === chunkState.done)
        this.#options.place(one, bytes.subarray(start, start + length));
      start += alignedBytes(length);
    }
  }

  #decodeOne(): boolean {
    const { decode, memory } = this.#options;
    if (decode === undefined || !this.#decodesHere) return false;
    for (const { window, tasks, files, tally } of this.#running.values()) {
      if (!window.hasTasks || !files.canReadNow()) continue;
      const number = window.take();
      if (number === undefined) continue;
      readTask(window, number, files.readNow, memory, tally, (at, _, encoded) => {
        const task = tasks[at]?.task;
        return task === undefined ? undefined : decode(task, encoded);
      });
      return true;
    }
    return false;
  }
}

function addTo(tally: TaskTally, { requests, bytes, versions, partials }: WindowReply): void {
  tally.requests += requests;
  tally.bytes += bytes;
  tally.versions.push(...versions);
  tally.partials.push(...partials);
}
