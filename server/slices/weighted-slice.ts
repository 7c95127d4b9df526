/** Slices with weights for folds. */
import { LimitError, throwIfAborted } from '../core/errors.js';
import { defaultLimits, type Limits } from '../core/limits.js';
import type { Block } from '../core/dtype/data-type.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { ElementwiseSlice } from './computed-slice.js';
import { streamedCost } from './split-slice.js';
import type { PlanCost } from '../format/plan/cost.js';
import { noCells } from '../compute/cells.js';
import { resolveSelection } from '../format/selection/resolve.js';
import { dimSelectionOf } from '../format/selection/selection.js';
import { boxesOfShape, boxLengths, chunksAlong, MAX_BOX_BYTES, selectionIn } from './boxes.js';
import { addBlock, foldBlocks } from './fold-slice.js';
import type {
  ArraySlice,
  LazySlice,
  SliceBlock,
  SliceFoldOptions,
  SliceStreamOptions,
} from './lazy-slice.js';
import { costBeside } from './slice-inputs.js';
import { isPair, readWeights, selectFactor, sizeOfFactor, type WeightFactor } from './weight-factors.js';
import { mappedAxes } from '../compute/axis-map.js';
import type { Fold } from '../compute/reduce/fold.js';
import { createPause } from '../core/turns.js';
import { OneState } from './one-state.js';

/** Maximum number of weights in memory. */
export const MAX_WEIGHTS = 2 ** 23;

/**
 * Adds weights to a slice. Its values are unchanged, but folds use the weights (see `Fold.cells`). Selections
 * apply to both. If there are more than `MAX_WEIGHTS` weights, large variables are read together with the
 * values, box by box.
 * @throws LimitError if the other weights exceed `MAX_WEIGHTS`
 */
export function weighSlice(input: LazySlice, factors: readonly WeightFactor[]): LazySlice {
  return new WeightedSlice(input, factors);
}

class WeightedSlice extends ElementwiseSlice {
  readonly #factors: readonly WeightFactor[];
  readonly #held: readonly WeightFactor[];
  readonly #inBoxes: readonly WeightFactor[];

  constructor(input: LazySlice, factors: readonly WeightFactor[]) {
    super(input, input, inputsOf(factors));
    const { held, inBoxes } = bySize(factors);
    this.#factors = factors;
    this.#held = held;
    this.#inBoxes = inBoxes;
  }

  override get takesOut(): boolean {
    return this.base.takesOut;
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    if (resolved.kind === 'points') throw new TypeError('points cannot be selected from slices with weights');
    return weighSlice(
      this.base.select({ kind: 'dims', dims: resolved.dims.map(dimSelectionOf) }),
      this.#factors.map((factor) => selectFactor(factor, resolved.dims)),
    );
  }

  cost(): PlanCost {
    return costWith(this.base.cost(), this.#factors);
  }

  override streamedCost(limits: Limits): PlanCost {
    return costWith(streamedCost(this.base, limits), this.#factors);
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    return this.base.read({ ...options, out });
  }

  override stream(options?: SliceStreamOptions): AsyncIterable<SliceBlock> {
    return this.base.stream(options);
  }

  override get planned(): LazySlice['planned'] {
    return this.#inBoxes.length > 0 ? undefined : this.base.planned;
  }

  override get fold(): NonNullable<LazySlice['fold']> {
    return async (fold, options = {}) => {
      const own = await readWeights(this.#held, options, this.base);
      const cells = { ...(fold.cells ?? noCells), weights: [...(fold.cells?.weights ?? []), ...own] };
      const weighted = { ...fold, cells };
      if (this.#inBoxes.length > 0) return foldWeightedBoxes(this.base, this.#inBoxes, weighted, options);
      return this.base.fold === undefined
        ? foldBlocks(this.base, weighted, options)
        : this.base.fold(weighted, options);
    };
  }
}

function inputsOf(factors: readonly WeightFactor[]): ArraySlice[] {
  return factors.flatMap(({ source }) => ('numbers' in source ? [] : source.inputs));
}

function costWith(cost: PlanCost, factors: readonly WeightFactor[]): PlanCost {
  const { inBoxes } = bySize(factors);
  return factors.reduce((sum, factor) => {
    const held = 8 * sizeOfFactor(factor);
    if ('numbers' in factor.source) return { ...sum, intermediateBytes: sum.intermediateBytes + held };
    const own = factor.source.cost();
    if (!inBoxes.includes(factor)) return costBeside(sum, own, held);
    return costBeside(sum, { ...own, allocatedBytes: 0 }, Math.min(held, 2 * MAX_BOX_BYTES));
  }, cost);
}

/**
 * Separates factors by size. If there are more weights than fit into memory, large variables are read box by
 * box. Distances are computed from all edges together.
 * @throws LimitError if the other weights do not fit
 */
function bySize(factors: readonly WeightFactor[]): {
  readonly held: readonly WeightFactor[];
  readonly inBoxes: readonly WeightFactor[];
} {
  const countOf = (some: readonly WeightFactor[]): number =>
    some.reduce((sum, factor) => sum + sizeOfFactor(factor), 0);
  if (countOf(factors) <= MAX_WEIGHTS) return { held: factors, inBoxes: [] };
  const isLarge = (factor: WeightFactor): boolean =>
    !('numbers' in factor.source) && !isPair(factor.form) && sizeOfFactor(factor) > MAX_WEIGHTS / 4;
  const held = factors.filter((factor) => !isLarge(factor));
  const count = countOf(held);
  if (count > MAX_WEIGHTS)
    throw new LimitError(
      `the slice needs ${count} weights in memory; at most ${MAX_WEIGHTS} are allowed; select a smaller part`,
      {
        excess: [{ limit: 'weights', allowed: MAX_WEIGHTS, needed: count }],
      },
    );
  return { held, inBoxes: factors.filter(isLarge) };
}

/**
 * Folds slices with more weights than fit into memory: values and weights are read together, box by box.
 * @param factors factors whose weights are read box by box; `fold.cells` has the others
 */
async function foldWeightedBoxes<T>(
  input: LazySlice,
  factors: readonly WeightFactor[],
  fold: Fold<T>,
  { signal, limits = input.inputs[0]?.array.context.limits ?? defaultLimits, ...options }: SliceFoldOptions,
): Promise<T> {
  const { shape } = input;
  const chunks = chunksAlong(input);
  const lengths = boxLengths(shape, chunks, elementBytes(input, factors));
  const state = new OneState(input, options);
  const reading = {
    signal,
    onVersion: state.onVersion,
    keepChunks: options.keepChunks ?? false,
    // The slice as a whole is within the limits; boxes count as `intermediateBytes`.
    limits: {
      ...limits,
      maxOutputBytes: Math.max(limits.maxOutputBytes, MAX_BOX_BYTES),
      maxDecodedBytes: Math.max(limits.maxDecodedBytes, limits.maxReducedBytes),
    },
  };
  const every = shape.map((_, axis) => axis);
  const axes = mappedAxes(fold.maps, shape);
  const total = fold.createTotal();
  const pause = createPause();
  for (const box of boxesOfShape(shape, chunks, lengths)) {
    const dims = box.start.map((start, axis) => ({ kind: 'range' as const, start, step: 1, count: box.shape[axis] ?? 1, dropped: false })); // prettier-ignore
    const own = factors.map((factor) => selectFactor(factor, dims));
    const block = await input.select(selectionIn(box, every)).read(reading);
    const weights = await readWeights(own, reading, box);
    state.assertUnchanged();
    for (const _ of addBlock(total, fold, block, axes, box.start, weights)) {
      await pause();
      throwIfAborted(signal);
    }
  }
  return total.finish();
}

function elementBytes({ dtype }: LazySlice, factors: readonly WeightFactor[]): number {
  return factors.reduce(
    (sum, { source }) => sum + 8 + ('numbers' in source ? 0 : (source.dtype.itemSize ?? 8)),
    dtype.itemSize ?? 8,
  );
}
