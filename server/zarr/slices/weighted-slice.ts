/** Slices with weights for folds. */
import { LimitError } from '../errors.js';
import { exceededLimits } from '../read/check-limits.js';
import type { PlanCost } from '../read/plan.js';
import { noCells } from '../read/reduce/cells.js';
import { dimSelectionOf } from '../selection/as-selection.js';
import { resolveSelection } from '../selection/resolve.js';
import { MAX_BOX_BYTES } from './combined/boxes.js';
import { foldBlocks } from './fold-slice.js';
import type { ArraySlice, LazySlice } from './lazy-slice.js';
import { costBeside } from './slice-inputs.js';
import { isPair, readWeights, selectFactor, sizeOfFactor, type WeightFactor } from './weight-factors.js';
import { foldWeightedBoxes } from './weighted-boxes.js';

/** Maximum number of weights in memory. */
export const MAX_WEIGHTS = 2 ** 23;

/**
 * The slice with weights. Its values are unchanged, but folds of it use the weights (see `Fold.cells`).
 * Selections apply to both.
 * Variables with more weights than `MAX_WEIGHTS` are read together with the values, box by box.
 * @throws LimitError for more than `MAX_WEIGHTS` numbers or distances
 */
export function weighSlice(input: LazySlice, factors: readonly WeightFactor[]): LazySlice {
  const { held, inBoxes } = bySize(factors);
  const cost = (): PlanCost => costWith(input.cost(), factors);
  return {
    ...input,
    inputs: [...input.inputs, ...inputsOf(factors)],
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    select(selection) {
      const resolved = resolveSelection(selection, input.dims);
      if (resolved.kind === 'points') throw new TypeError('cannot select points of slices with weights');
      return weighSlice(
        input.select({ kind: 'dims', dims: resolved.dims.map(dimSelectionOf) }),
        factors.map((factor) => selectFactor(factor, resolved.dims)),
      );
    },
    async fold(fold, options = {}) {
      const own = await readWeights(held, options, input);
      const cells = { ...(fold.cells ?? noCells), weights: [...(fold.cells?.weights ?? []), ...own] };
      const weighted = { ...fold, cells };
      if (inBoxes.length > 0) return foldWeightedBoxes(input, inBoxes, weighted, options);
      return input.fold === undefined ? foldBlocks(input, weighted, options) : input.fold(weighted, options);
    },
  };
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
 * If there are more weights than fit into memory, large variables are read box by box. Distances are computed from all
 * edges together.
 * @throws LimitError if the others do not fit
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
      `the slice has ${count} weights; at most ${MAX_WEIGHTS} are allowed; select a smaller part`,
      {
        excess: [{ limit: 'weights', allowed: MAX_WEIGHTS, needed: count }],
      },
    );
  return { held, inBoxes: factors.filter(isLarge) };
}
