/**
 * Slices that depend on values read earlier, such as the coordinate by which an operation selected positions.
 * These values are inputs of the slice, and every read checks that they have not changed.
 */
import { sameBytes } from '#platform';
import { sameItems } from '../bytes/items.js';
import type { Block } from '../dtype/data-type.js';
import { ConflictError, SelectionError } from '../errors.js';
import { foldSlice } from './fold-slice.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';
import { exceededLimits } from '../read/cost.js';
import type { PlanCost } from '../read/plan.js';
import { costBeside } from './slice-inputs.js';
import { streamedCost } from './split-slice.js';
import { watchVersions } from './stream-slice.js';

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
  if (known.length === 0) return base;
  // The values are compared one after the other before the base is read, so they are not in memory at the same time.
  const withKnown = (own: PlanCost): PlanCost =>
    known.reduce((sum, { slice }) => {
      const beside = costBeside(sum, slice.cost(), 0);
      const compared = beside.intermediateBytes - sum.intermediateBytes;
      return { ...beside, intermediateBytes: Math.max(sum.intermediateBytes, compared) };
    }, own);
  const cost = (): PlanCost => withKnown(base.cost());
  const check = async (options: SliceFoldOptions): Promise<void> => {
    for (const values of known) await assertUnchanged(base, values, options);
  };
  return {
    where: base.where,
    inputs: [...base.inputs, ...known.flatMap(({ slice }) => slice.inputs)],
    readBefore: [...(base.readBefore ?? []), ...known.flatMap(({ slice }) => slice.inputs)],
    origin: base.origin,
    dtype: base.dtype,
    dtypeName: base.dtypeName,
    shape: base.shape,
    dims: base.dims,
    extent: base.extent,
    isReadWhole: base.isReadWhole === true,
    isComputed: base.isComputed === true,
    blockEndAlong: (axis) => base.blockEndAlong?.(axis),
    takesOut: base.takesOut,
    preparation: base.preparation,
    select: (selection) => guardSlice(base.select(selection), known),
    field() {
      throw new SelectionError(
        'cannot select a field of a slice that depends on other values; select the field first',
      );
    },
    cost,
    streamedCost: (limits) => withKnown(streamedCost(base, limits)),
    exceeded: (limits) => exceededLimits(cost(), limits),
    async read(options = {}) {
      await check(options);
      return base.read(options);
    },
    async *stream(options = {}) {
      const { onVersion, assertUnchanged } = watchVersions(base, options);
      await check({ signal: options.signal, limits: options.limits, onVersion });
      assertUnchanged();
      yield* base.stream(options);
    },
    ...(base.fold === undefined
      ? {}
      : {
          fold: async (fold, options = {}) => {
            await check(options);
            return foldSlice(base, fold, options);
          },
        }),
  };
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
