/**
 * The owner's part of a direct read's windows: copies from rings, decodes tasks, and waits for the threads.
 */
import type { ReadMemory } from '../../../store/filesystem/read-file.js';
import type { LocalFiles } from '../../../store/store.js';
import { nextTurn, turnMs } from '../../../core/turns.js';
import { asError } from '../../../core/deferred.js';
import type { ReadPlan, ReadTask } from '../../../format/plan/plan.js';
import type { LocatedTask } from './build-window.js';
import type { WindowReply } from '../../../threads/direct/protocol.js';
import { createTally, readTask, type TaskTally } from '../../../threads/direct/read-task.js';
import { alignedBytes, regionBytes } from '../../../threads/direct/region-copy.js';
import type { FilledSlot } from '../../../threads/direct/ring.js';
import type { Rings } from '../../../threads/rings.js';
import { chunkState, type Window } from '../../../threads/direct/window.js';

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
  /** Whether replies contain more than the window: partial results, versions of files. */
  readonly needsReplies: boolean;
}

interface Running extends ActiveWindow {
  /** Number of threads that have not replied. */
  pending: number;
  readonly resolve: (window: ActiveWindow) => void;
  /** Rejects after all threads have replied: until then, they may write to the result. */
  readonly reject: (error: Error) => void;
}

export class WindowPump {
  readonly #options: PumpOptions;
  readonly #running = new Map<number, Running>();
  #isPumping = false;
  #wakeUp: (() => void) | undefined;

  constructor(options: PumpOptions) {
    this.#options = options;
  }

  /**
   * @param replies replies of the threads that take tasks of the window; undefined for a lost thread
   * @returns a promise that resolves when no thread works on the window, all slots are copied, and all replies
   * that are needed have arrived
   */
  run(
    { window, tasks, files }: Pick<ActiveWindow, 'window' | 'tasks' | 'files'>,
    replies: readonly Promise<WindowReply | undefined>[],
  ): Promise<ActiveWindow> {
    return new Promise((resolve, reject) => {
      const tally = createTally();
      const rejectLater = (error: Error): void => {
        window.cancel();
        Promise.allSettled(replies).then(() => reject(error), reject);
      };
      const pending = replies.length;
      const running: Running = { window, tasks, files, tally, pending, resolve, reject: rejectLater };
      const replied = (reply: WindowReply | undefined): void => {
        running.pending--;
        if (reply !== undefined) addTo(tally, reply);
        this.wake();
      };
      this.#running.set(window.shared.number, running);
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
      for (const { reject } of this.#running.values()) reject(asError(error));
      this.#running.clear();
    } finally {
      this.#isPumping = false;
    }
  }

  /** Works for one turn of the event loop. @returns false if no work is available now */
  #workForATurn(): boolean {
    const ends = performance.now() + (this.#options.decode === undefined ? turnMs.feeding : turnMs.reading);
    do {
      if (!this.#drainOne() && !this.#finish() && !this.#decodeOne()) return false;
    } while (performance.now() < ends);
    return true;
  }

  #drainOne(): boolean {
    return this.#options.rings?.drainOne((slot) => this.#copy(slot)) === true;
  }

  #sleep(): Promise<void> | undefined {
    if (this.#options.rings?.sleep() === false) return undefined;
    return new Promise((resolve) => (this.#wakeUp = resolve));
  }

  /** Tasks that no thread has taken remain open. @returns whether a window is complete */
  #finish(): boolean {
    let hasFinished = false;
    for (const [number, running] of this.#running) {
      const isOver = !this.#options.needsReplies && running.window.isOver();
      if (running.pending > 0 && !isOver) continue;
      // Everything that a thread published before it stopped is visible at this point.
      while (this.#drainOne());
      this.#running.delete(number);
      running.resolve(running);
      hasFinished = true;
    }
    return hasFinished;
  }

  #copy({ window: number, task, bytes }: FilledSlot): void {
    const running = this.#running.get(number);
    if (running === undefined || running.window.isCancelled()) return;
    const { window, tasks } = running;
    const { first, end } = window.chunksOf(task);
    let start = 0;
    for (let at = first; at < end; at++) {
      const chunkTask = tasks[at]?.task;
      if (chunkTask === undefined) return;
      const length = regionBytes(this.#options.plan, chunkTask);
      if (window.stateOf(at) === chunkState.done) {
        this.#options.place(chunkTask, bytes.subarray(start, start + length));
        window.setState(at, chunkState.placed);
      }
      start += alignedBytes(length);
    }
  }

  #decodeOne(): boolean {
    const { decode, memory } = this.#options;
    if (decode === undefined) return false;
    for (const { window, tasks, files, tally } of this.#running.values()) {
      if (!window.hasTasks() || files.isSlow()) continue;
      const number = window.take();
      if (number === undefined) continue;
      readTask(window, number, files.readNow, memory, tally, (at, _, encoded) => {
        const task = tasks[at]?.task;
        return task === undefined ? undefined : decode(task, encoded);
      });
      const { first, end } = window.chunksOf(number);
      for (let at = first; at < end; at++)
        if (window.stateOf(at) === chunkState.done) window.setState(at, chunkState.placed);
      return true;
    }
    return false;
  }
}

function addTo(tally: TaskTally, { versions, partials }: WindowReply): void {
  tally.versions.push(...versions);
  tally.partials.push(...partials);
}
