/**
 * Reduces every chunk to a partial result where it is decoded, and merges these in the order of the plan: the result does
 * not depend on which chunk came first. What waits to be merged is bounded by the batches in flight.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfAborted } from '../../errors.js';
import type { DecodedChunk } from '../../codec/decode-chunk.js';
import { createPause, STEPS_BETWEEN_PAUSES } from '../../turns.js';
import type { ReadTask } from '../plan.js';
import { countElements } from '../region.js';
import type { Sink } from '../sink.js';
import type { ElementRun } from './elements.js';
import {
  partialOf,
  reductionOf,
  type PartialOf,
  type ReducerName,
  type ReduceSpec,
  type ReduceWork,
  type ResultOf,
} from './reducer.js';
import type { Reduction } from './reduction.js';

export class ReduceSink<N extends ReducerName> implements Sink<ResultOf<N>> {
  readonly #spec: ReduceSpec<N>;
  readonly #reduction: Reduction<PartialOf<N>, ResultOf<N>>;
  readonly #fill: ElementRun;
  /** By the task's number. */
  readonly #partials = new Map<number, PartialOf<N>>();
  /** Tasks that do not come again and are not merged yet: the number of the first -> how many follow one another. */
  readonly #settled = new Map<number, number>();
  /** The tasks before this are merged. */
  #next = 0;
  #isMerging = false;
  #total: PartialOf<N>;

  /** @param fill what an absent element contributes: one element, or those of the part that is reduced */
  constructor(spec: ReduceSpec<N>, fill: ElementRun) {
    this.#spec = spec;
    this.#reduction = reductionOf(spec.reducer);
    this.#fill = fill;
    this.#total = this.#reduction.empty;
  }

  chunk(task: ReadTask, decoded: DecodedChunk): void {
    for (const partial of partialOf(this.#spec, decoded, task.parts)) this.#partials.set(task.index, partial);
  }

  async largeChunk(task: ReadTask, decoded: DecodedChunk, signal: AbortSignal): Promise<void> {
    for (const partial of partialOf(this.#spec, decoded, task.parts)) {
      this.#partials.set(task.index, partial);
      await nextTurn();
      throwIfAborted(signal);
    }
  }

  reduceWork({ parts }: ReadTask): ReduceWork {
    return { spec: this.#spec, parts };
  }

  partial(task: ReadTask, partial: unknown): void {
    if (!this.#reduction.isPartial(partial))
      throw new TypeError('a decoding thread returned an invalid partial result');
    this.#partials.set(task.index, partial);
  }

  absent(task: ReadTask): void {
    const { dtype } = this.#spec;
    const partial = this.#reduction.ofRepeated(this.#fill, countElements(task), dtype);
    this.#partials.set(task.index, partial);
  }

  async settled(tasks: readonly ReadTask[]): Promise<void> {
    const [first] = tasks;
    if (first === undefined) return;
    this.#settled.set(first.index, tasks.length);
    if (this.#isMerging) return;
    this.#isMerging = true;
    const pause = createPause();
    for (let count = this.#takeNext(); count !== undefined; count = this.#takeNext()) {
      for (const end = this.#next + count; this.#next < end; this.#next++) {
        this.#mergeNext();
        if (this.#next % STEPS_BETWEEN_PAUSES === 0) await pause();
      }
    }
    this.#isMerging = false;
  }

  finish(): ResultOf<N> {
    return this.#reduction.finish(this.#total);
  }

  #takeNext(): number | undefined {
    const count = this.#settled.get(this.#next);
    this.#settled.delete(this.#next);
    return count;
  }

  #mergeNext(): void {
    const partial = this.#partials.get(this.#next);
    if (partial === undefined) throw new TypeError(`chunk ${this.#next} of the plan has no partial result`);
    this.#partials.delete(this.#next);
    this.#total = this.#reduction.merge(this.#total, partial);
  }
}
