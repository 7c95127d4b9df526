/**
 * Reduces every chunk to partial results, one for each reduction: on the thread that decoded it or, if the chunk will be
 * cached, on the thread that started the read. Partial results are merged in the order of the plan, so that the result does not
 * depend on the order of arrival. The batches in flight bound the number of unmerged partial results.
 */
import type { Values } from '../../core/bytes/values.js';
import type { DecodedChunk } from '../../format/codec/run-chain.js';
import { runToEnd, createPause, inTurns } from '../../core/turns.js';
import { runLength } from '../../format/plan/parts.js';
import type { ReadTask } from '../../format/plan/plan.js';
import { countElements } from '../../format/plan/region.js';
import type { PlacedAxis } from '../../compute/axis-map.js';
import type { Total } from '../../compute/reduce/fold.js';
import {
  axesOfTask,
  partialOf,
  partialOfFill,
  workOfTask,
  type ReduceRule,
  type ReduceWork,
} from '../../compute/reduce/partial.js';
import type { Destination, Sink } from '../../compute/reduce/sink.js';

/** Approximate time per element in nanoseconds. */
export const NS_PER_ELEMENT = 5;
/** Maximum time, in nanoseconds, to reduce a chunk in one step. A slower chunk is reduced in time slices. */
const SLOW_NS = 4_000_000;

/** Number of elements of an absent chunk above which its groups or spans are not listed at once with those of other chunks. */
const LISTED_ELEMENTS = 2 ** 14;

/**
 * Number of positions along an axis with groups above which the slots of a chunk are listed in turns. It is then
 * reduced by this thread, because sending the list to another one takes as long.
 */
const LONG_AXIS = 2 ** 18;

/** Maximum number of tasks merged together. */
const MAX_GROUP = 16;

interface Partial {
  readonly partial: unknown;
  readonly axes: readonly PlacedAxis[];
}

/** The reduction and its input. */
export interface SinkReduction<T> extends ReduceRule {
  createTotal(): Total<T>;
}

/** The value of absent elements. */
export type ReduceFill =
  /** One element in the type that is reduced. */
  | { readonly element: Values }
  /** One stored element, which contains the values to reduce. */
  | { readonly chunk: Values };

/** One of the reductions of a sink. */
class OneReduction<T> {
  readonly #reduction: SinkReduction<T>;
  readonly #fill: () => ReduceFill;
  /** Partial results by the number of their task. */
  readonly #partials = new Map<number, Partial>();
  /** Settled tasks that are not merged: maps the first task of a run to the length of the run. */
  readonly #settled = new Map<number, number>();
  /** Number of the first task that is not merged. */
  #next: number;
  #isMerging = false;
  readonly #total: Total<T>;

  /** @param fill called if a chunk is absent @param first number of the first task */
  constructor(reduction: SinkReduction<T>, fill: () => ReduceFill, first = 0) {
    this.#reduction = reduction;
    this.#fill = fill;
    this.#next = first;
    this.#total = reduction.createTotal();
  }

  /**
   * Undefined with masks, weights, offsets or many groups. These can be large, so a thread receives only the part for
   * its chunk.
   */
  get rule(): ReduceRule | undefined {
    const { spec, axes, cells } = this.#reduction;
    const isShort = axes.every(({ map }) => map.kind !== 'groups' || map.of.length <= LONG_AXIS);
    return cells === undefined && isShort ? { spec, axes, cells } : undefined;
  }

  reduceWork(task: ReadTask): ReduceWork | undefined {
    if (this.isLong(task)) return undefined;
    return runToEnd(workOfTask(this.#reduction, task, runToEnd(axesOfTask(this.#reduction, task))));
  }

  partial(task: ReadTask, partial: unknown): void {
    this.#partials.set(task.index, { partial, axes: runToEnd(axesOfTask(this.#reduction, task)) });
  }

  absent(task: ReadTask, signal: AbortSignal): void | Promise<void> {
    const fill = this.#fill();
    if ('chunk' in fill) {
      const strides = this.#reduction.spec.axes.map(() => 0);
      return inTurns(this.reduce(task, { values: fill.chunk, strides }), signal);
    }
    const steps = this.#reduceAbsent(task, fill.element);
    const isListed = this.#reduction.axes.some(({ map }) => map.kind === 'groups' || map.kind === 'spans');
    if (!(isListed && countElements(task) > LISTED_ELEMENTS) && steps.next().done === true) return undefined;
    return inTurns(steps, signal);
  }

  async settled(tasks: readonly ReadTask[]): Promise<void> {
    const [first] = tasks;
    if (first === undefined) return;
    this.#settled.set(first.index, tasks.length);
    if (this.#isMerging) return;
    this.#isMerging = true;
    const pause = createPause();
    for (let count = this.#takeNext(); count !== undefined; count = this.#takeNext()) {
      for (const end = this.#next + count; this.#next < end;)
        for (const _ of this.#mergeGroup(end)) await pause();
    }
    this.#isMerging = false;
  }

  finish(): T {
    return this.#total.finish();
  }

  *reduce(task: ReadTask, decoded: DecodedChunk): Generator<void> {
    const axes = yield* axesOfTask(this.#reduction, task);
    const partial = yield* partialOf(yield* workOfTask(this.#reduction, task, axes), decoded);
    this.#partials.set(task.index, { partial, axes });
  }

  *#reduceAbsent(task: ReadTask, element: Values): Generator<void> {
    const axes = yield* axesOfTask(this.#reduction, task);
    const partial = yield* partialOfFill(yield* workOfTask(this.#reduction, task, axes), element);
    this.#partials.set(task.index, { partial, axes });
  }

  /** Whether the slots of the task's elements are too many to be listed at once. */
  isLong({ parts }: ReadTask): boolean {
    const lengths = 'points' in parts ? [parts.to.length] : parts.map(({ to }) => runLength(to));
    const { axes, cells } = this.#reduction;
    const isGrouped = (d: number): boolean =>
      axes[d]?.map.kind === 'groups' || cells?.offsets?.some(({ axis }) => axis === d) === true;
    return lengths.some((length, d) => length > LONG_AXIS && isGrouped(d));
  }

  #takeNext(): number | undefined {
    const count = this.#settled.get(this.#next);
    this.#settled.delete(this.#next);
    return count;
  }

  /**
   * Merges neighbouring tasks of the same part of the result together, so that this part stays in the
   * processor's cache. Each element is merged in the order of the plan.
   */
  *#mergeGroup(end: number): Generator<void> {
    const first = this.#take();
    const steps = [this.#stepsOf(first)];
    while (this.#total.mergesByPieces && this.#next < end && steps.length < MAX_GROUP) {
      const next = this.#partials.get(this.#next);
      if (next === undefined || isElements(first.partial) !== isElements(next.partial)) break;
      if (!isSamePosition(first.axes, next.axes)) break;
      steps.push(this.#stepsOf(this.#take()));
    }
    while (steps.every((merge) => merge.next().done !== true)) yield;
    // All merges have the same number of steps: the first has ended, and the others are at their last step.
    for (const merge of steps) yield* merge;
    yield;
  }

  #stepsOf({ partial, axes }: Partial): Generator<void> {
    return this.#total.add(partial, axes, this.#reduction.spec);
  }

  #take(): Partial {
    const reduced = this.#partials.get(this.#next);
    if (reduced === undefined) throw new TypeError(`chunk ${this.#next} of the plan has no partial result`);
    this.#partials.delete(this.#next++);
    return reduced;
  }
}

/** A reduction of all chunks. */
export interface ReducePart<T> {
  readonly reduction: SinkReduction<T>;
  /** Called if a chunk is absent. */
  readonly fill: () => ReduceFill;
}

export class ReduceSink<T> implements Sink<readonly T[]> {
  readonly #parts: readonly OneReduction<T>[];

  /** @param first number of the first task */
  constructor(parts: readonly ReducePart<T>[], first = 0) {
    this.#parts = parts.map(({ reduction, fill }) => new OneReduction(reduction, fill, first));
  }

  chunk(task: ReadTask, decoded: DecodedChunk): void {
    for (const _ of this.#reduce(task, decoded));
  }

  isSlow(task: ReadTask): boolean {
    const ns = countElements(task) * NS_PER_ELEMENT * this.#parts.length;
    return ns > SLOW_NS || this.#parts.some((part) => part.isLong(task));
  }

  largeChunk(task: ReadTask, decoded: DecodedChunk, signal: AbortSignal): Promise<void> {
    return inTurns(this.#reduce(task, decoded), signal);
  }

  *#reduce(task: ReadTask, decoded: DecodedChunk): Generator<void> {
    for (const part of this.#parts) yield* part.reduce(task, decoded);
  }

  /** Undefined if one of the reductions has none. */
  get destination(): Extract<Destination, { kind: 'partials' }> | undefined {
    const rules = this.#parts.flatMap(({ rule }) => rule ?? []);
    return rules.length < this.#parts.length ? undefined : { kind: 'partials', rules };
  }

  reduceWork(task: ReadTask): readonly ReduceWork[] | undefined {
    const works = this.#parts.flatMap((part) => part.reduceWork(task) ?? []);
    return works.length < this.#parts.length ? undefined : works;
  }

  partials(task: ReadTask, partials: readonly unknown[]): void {
    this.#parts.forEach((part, k) => part.partial(task, partials[k]));
  }

  absent(task: ReadTask, signal: AbortSignal): void | Promise<void> {
    const slow = this.#parts.flatMap((part) => part.absent(task, signal) ?? []);
    return slow.length === 0 ? undefined : Promise.all(slow).then(() => undefined);
  }

  async settled(tasks: readonly ReadTask[]): Promise<void> {
    for (const part of this.#parts) await part.settled(tasks);
  }

  finish(): readonly T[] {
    return this.#parts.map((part) => part.finish());
  }
}

/** Whether a partial result consists of elements; see `ElementsPartial`. */
function isElements(partial: unknown): boolean {
  return typeof partial === 'object' && partial !== null && 'elements' in partial;
}

/** Whether tasks of one shape contribute to the same part of the result. */
function isSamePosition(a: readonly PlacedAxis[], b: readonly PlacedAxis[]): boolean {
  return a.every((axis, d) => {
    const other = b[d];
    if (other === undefined || 'at' in axis.result || 'at' in other.result) return false;
    if (typeof axis.axis.slotOf !== 'string' || axis.axis.slotOf !== other.axis.slotOf) return false;
    return (
      runLength(axis.axis.run) === runLength(other.axis.run) &&
      (axis.resultStride === 0 || axis.result.start === other.result.start)
    );
  });
}
