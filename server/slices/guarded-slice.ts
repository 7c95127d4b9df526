/**
 * Slices that depend on values read earlier, such as the coordinate by which an operation selected positions.
 * These values are inputs of the slice, and every read checks that they have not changed.
 */
import { sameBytes } from '#platform';
import { sameItems } from '../core/bytes/items.js';
import type { Block } from '../core/dtype/data-type.js';
import { ConflictError } from '../core/errors.js';
import type { Limits } from '../core/limits.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { ElementwiseSlice } from './computed-slice.js';
import { foldSlice } from './fold-slice.js';
import type {
  ArraySlice,
  LazySlice,
  SliceBlock,
  SliceFoldOptions,
  SliceReadOptions,
  SliceStreamOptions,
} from './lazy-slice.js';
import type { PlanCost } from '../format/plan/cost.js';
import { costBeside } from './slice-inputs.js';
import { streamedCost } from './split-slice.js';
import { OneState } from './one-state.js';

/** A slice that was read, and its values. */
export interface KnownValues {
  readonly slice: LazySlice;
  readonly block: Block;
}

/**
 * Creates a slice that is valid while these values are unchanged. Each read reads them again, usually from a
 * cache.
 * @returns a slice whose `read`, `fold` and `stream` throw ConflictError if the values have changed
 */
export function guardSlice(base: LazySlice, known: readonly KnownValues[]): LazySlice {
  return known.length === 0 ? base : new GuardedSlice(base, known);
}

/** `elements` is undefined, because reading the stored elements would not check the values. */
class GuardedSlice extends ElementwiseSlice {
  readonly #known: readonly KnownValues[];

  constructor(base: LazySlice, known: readonly KnownValues[]) {
    super(base, base, inputsOf(known));
    this.#known = known;
  }

  override get readBefore(): readonly ArraySlice[] {
    return [...super.readBefore, ...inputsOf(this.#known)];
  }

  override get takesOut(): boolean {
    return this.base.takesOut;
  }

  select(selection?: SelectionInput): LazySlice {
    return guardSlice(this.base.select(selection), this.#known);
  }

  cost(): PlanCost {
    return this.#withKnown(this.base.cost());
  }

  override streamedCost(limits: Limits): PlanCost {
    return this.#withKnown(streamedCost(this.base, limits));
  }

  /** The values are compared one after the other before the base is read, so they are not in memory at the same time. */
  #withKnown(own: PlanCost): PlanCost {
    return this.#known.reduce((sum, { slice }) => {
      const beside = costBeside(sum, slice.cost(), 0);
      const compared = beside.intermediateBytes - sum.intermediateBytes;
      return { ...beside, intermediateBytes: Math.max(sum.intermediateBytes, compared) };
    }, own);
  }

  async #check(options: SliceFoldOptions): Promise<void> {
    for (const values of this.#known) await assertUnchanged(this.base, values, options);
  }

  override async read(options: SliceReadOptions = {}): Promise<Block> {
    if (options.out !== undefined) this.assertTakesOut();
    await this.#check(options);
    return this.base.read(options);
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    return this.read({ ...options, out });
  }

  override async *stream(options: SliceStreamOptions = {}): AsyncGenerator<SliceBlock> {
    const state = new OneState(this.base, options);
    await this.#check({ signal: options.signal, limits: options.limits, onVersion: state.onVersion });
    state.assertUnchanged();
    yield* this.base.stream(options);
  }

  override get planned(): LazySlice['planned'] {
    return this.base.planned;
  }

  override get fold(): LazySlice['fold'] {
    if (this.base.fold === undefined) return undefined;
    return async (fold, options = {}) => {
      await this.#check(options);
      return foldSlice(this.base, fold, options);
    };
  }
}

function inputsOf(known: readonly KnownValues[]): ArraySlice[] {
  return known.flatMap(({ slice }) => slice.inputs);
}

async function assertUnchanged(
  { where }: LazySlice,
  { slice, block }: KnownValues,
  { signal, limits, onVersion }: SliceFoldOptions,
): Promise<void> {
  if (isSameBlock(await slice.read({ signal, limits, onVersion }), block)) return;
  throw new ConflictError(
    `the coordinate ${slice.where.path ?? ''} was changed during the request; try again`,
    { where },
  );
}

function isSameBlock(a: Block, b: Block): boolean {
  if ('bytes' in a) return 'bytes' in b && sameBytes(a.bytes, b.bytes);
  return 'items' in b && sameItems(a.items, b.items);
}
