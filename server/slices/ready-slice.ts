/** Slices whose values are computed elsewhere, for example by a job. */
import type { Block } from '../core/dtype/data-type.js';
import type { SelectionInput } from '../format/selection/plain.js';
import type { PlanCost } from '../format/plan/cost.js';
import { blockSlice } from './block-slice.js';
import { ComputedSlice } from './computed-slice.js';
import type { BlockEnd, LazySlice, SliceFoldOptions } from './lazy-slice.js';

/**
 * The same slice with its values in memory.
 * @param block values of `base` that nobody modifies
 * @param isFree whether the slice has no inputs, and costs only its values. Otherwise its inputs and its cost are those of
 * the base: computations divide it into the same parts, so that their results are the same bit by bit.
 */
export function readySlice(base: LazySlice, block: Block, isFree: boolean): LazySlice {
  return new ReadySlice(base, blockSlice(block, base.where), isFree);
}

/** The same slice without values: reading it is an error. It has no inputs, and costs nothing. */
export function pendingSlice(base: LazySlice, error: () => Error): LazySlice {
  return new PendingSlice(base, error);
}

class ReadySlice extends ComputedSlice {
  readonly #base: LazySlice;
  readonly #values: LazySlice;
  readonly #isFree: boolean;

  constructor(base: LazySlice, values: LazySlice, isFree: boolean) {
    super(base, isFree ? [] : [base]);
    this.#base = base;
    this.#values = values;
    this.#isFree = isFree;
  }

  override get takesOut(): boolean {
    return this.#values.takesOut;
  }

  override blockEndAlong(axis: number): BlockEnd | undefined {
    return this.#base.blockEndAlong?.(axis);
  }

  select(selection?: SelectionInput): LazySlice {
    return new ReadySlice(this.#base.select(selection), this.#values.select(selection), this.#isFree);
  }

  cost(): PlanCost {
    return this.#isFree ? this.#values.cost() : this.#base.cost();
  }

  protected compute({ signal }: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    return this.#values.read({ signal, ...(out === undefined ? {} : { out }) });
  }
}

class PendingSlice extends ComputedSlice {
  readonly #base: LazySlice;
  readonly #error: () => Error;

  constructor(base: LazySlice, error: () => Error) {
    super(base, []);
    this.#base = base;
    this.#error = error;
  }

  select(selection?: SelectionInput): LazySlice {
    return new PendingSlice(this.#base.select(selection), this.#error);
  }

  cost(): PlanCost {
    const { outputBytes, allocatedBytes } = this.#base.cost();
    const none = { chunks: 0, requests: 0, decodedBytes: 0, reducedBytes: 0, work: 0, indexBytes: 0 };
    return { ...none, chunkBytes: 0, stepBytes: 0, outputBytes, allocatedBytes, intermediateBytes: 0 };
  }

  protected async compute(): Promise<Block> {
    throw this.#error();
  }
}
