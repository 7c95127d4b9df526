/**
 * Reduces every chunk to a partial result where it is decoded, and merges these in the order of the plan: the result does
 * not depend on which chunk came first. What waits to be merged is bounded by the batches in flight.
 */
import { sizeOf } from '../../bytes/shape.js';
import type { Values } from '../../bytes/values.js';
import type { DecodedChunk } from '../../codec/decode-chunk.js';
import { createPause, runSteps, STEPS_BETWEEN_PAUSES } from '../../turns.js';
import type { ReadTask } from '../plan.js';
import { countElements } from '../region.js';
import { mergePartial } from '../reduce/merge.js';
import {
  initialOf,
  partialOf,
  partialOfFill,
  slotsOf,
  type ReduceSpec,
  type ReduceWork,
} from '../reduce/partial.js';
import { createState, isState, type ReduceState } from '../reduce/state.js';
import type { Sink } from '../sink.js';

/** What one element takes, about; and what a task may take in one go. */
const NS_PER_ELEMENT = 10;
const SLOW_NS = 4_000_000;

interface Partial {
  readonly state: ReduceState;
  readonly parts: ReadTask['parts'];
}

/** What stands for elements that are not stored. */
export type ReduceFill =
  /** One value, as it is reduced. */
  | { readonly one: Values }
  /** One stored element, in which the values that are reduced lie. */
  | { readonly chunk: Values };

export class ReduceSink implements Sink<ReduceState> {
  readonly #spec: ReduceSpec;
  readonly #shape: readonly number[];
  readonly #fill: () => ReduceFill;
  /** By the task's number. */
  readonly #partials = new Map<number, Partial>();
  /** Tasks that do not come again and are not merged yet: the number of the first -> how many follow one another. */
  readonly #settled = new Map<number, number>();
  /** The tasks before this are merged. */
  #next = 0;
  #isMerging = false;
  readonly #total: ReduceState;

  /**
   * @param shape of the result
   * @param fill asked for where something is absent
   */
  constructor(spec: ReduceSpec, shape: readonly number[], fill: () => ReduceFill) {
    this.#spec = spec;
    this.#shape = shape;
    this.#fill = fill;
    this.#total = createState(sizeOf(shape), initialOf(spec));
  }

  chunk(task: ReadTask, decoded: DecodedChunk): void {
    for (const _ of this.#reduce(task, decoded));
  }

  isSlow(task: ReadTask): boolean {
    return countElements(task) * NS_PER_ELEMENT > SLOW_NS;
  }

  largeChunk(task: ReadTask, decoded: DecodedChunk, signal: AbortSignal): Promise<void> {
    return runSteps(this.#reduce(task, decoded), signal);
  }

  reduceWork({ parts }: ReadTask): ReduceWork {
    return { spec: this.#spec, parts };
  }

  partial(task: ReadTask, partial: unknown): void {
    if (!isState(partial, slotsOf(this.#spec, task.parts), initialOf(this.#spec).length))
      throw new TypeError('a decoding thread returned an invalid partial result');
    this.#keep(task, partial);
  }

  absent(task: ReadTask, signal: AbortSignal): void | Promise<void> {
    const fill = this.#fill();
    if ('chunk' in fill) {
      const strides = this.#spec.axes.map(() => 0);
      return runSteps(this.#reduce(task, { values: fill.chunk, strides }), signal);
    }
    this.#keep(task, partialOfFill(this.#spec, fill.one, task.parts));
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
        for (const _ of this.#mergeNext()) await pause();
      }
    }
    this.#isMerging = false;
  }

  finish(): ReduceState {
    return this.#total;
  }

  *#reduce(task: ReadTask, decoded: DecodedChunk): Generator<void> {
    this.#keep(task, yield* partialOf({ spec: this.#spec, parts: task.parts }, decoded));
  }

  #keep({ index, parts }: ReadTask, state: ReduceState): void {
    this.#partials.set(index, { state, parts });
  }

  #takeNext(): number | undefined {
    const count = this.#settled.get(this.#next);
    this.#settled.delete(this.#next);
    return count;
  }

  *#mergeNext(): Generator<void> {
    const partial = this.#partials.get(this.#next);
    if (partial === undefined) throw new TypeError(`chunk ${this.#next} of the plan has no partial result`);
    this.#partials.delete(this.#next);
    yield* mergePartial(this.#spec, this.#shape, this.#total, partial.state, partial.parts);
    if (this.#next % STEPS_BETWEEN_PAUSES === 0) yield;
  }
}
