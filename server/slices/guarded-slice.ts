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
import { createPause } from '../core/turns.js';
import type { ObjectVersions } from '../chunks/read/object-versions.js';
import { costBeside, haveVersions } from './slice-inputs.js';
import { streamedCost } from './split-slice.js';
import { OneState } from './one-state.js';

/** A slice that was read, and what shows that its values are the same: their versions or the values themselves. */
export interface KnownValues {
  readonly slice: LazySlice;
  /** The values; undefined if their versions suffice. */
  readonly block: Block | undefined;
  /** The version of each object that was read, by `objectName`; undefined if the store has none. */
  readonly versions?: ObjectVersions | undefined;
}

/**
 * Creates a slice that is valid while these values are unchanged. Each read compares their versions, or
 * reads them again, usually from a cache.
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
  { slice, block, versions }: KnownValues,
  { signal, limits, onVersion }: SliceFoldOptions,
): Promise<void> {
  if (versions !== undefined && (await haveVersions(slice, versions, { signal, onVersion }))) return;
  if (block !== undefined && (await isSameBlock(await slice.read({ signal, limits, onVersion }), block)))
    return;
  throw new ConflictError(
    `the coordinate ${slice.where.path ?? ''} was changed during the request; try again`,
    { where },
  );
}

/** Number of bytes that are compared at once. */
const COMPARED_BYTES = 2 ** 22;

/** Whether two blocks have the same shape and the same bytes. */
export async function isSameBlock(a: Block, b: Block): Promise<boolean> {
  // The bytes of two texts of six characters may equal those of three of four.
  if (a.shape.join() !== b.shape.join()) return false;
  if (!('bytes' in a)) return 'items' in b && sameItems(a.items, b.items);
  if (!('bytes' in b) || a.bytes.length !== b.bytes.length) return false;
  const pause = createPause();
  for (let from = 0; from < a.bytes.length; from += COMPARED_BYTES) {
    const to = from + COMPARED_BYTES;
    if (!sameBytes(a.bytes.subarray(from, to), b.bytes.subarray(from, to))) return false;
    await pause();
  }
  return true;
}
