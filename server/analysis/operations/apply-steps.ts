/**
 * Slices derived by a list of operations. Fields of a document, links, batches and cache keys all apply operations
 * with these functions.
 */
import {
  composeSelections,
  InputError,
  inTurn,
  inTurns,
  type LazySlice,
  type ResolvedSelection,
  resolveSelection,
} from '../../zarr/index.js';
import type { OperationScope, Quantity } from './operation.js';
import { quantityAfter } from './quantity.js';
import {
  type GivenStep,
  type GivenValues,
  isStepName,
  type StepName,
  operations,
  type SliceStep,
  type StepValues,
} from './table.js';

/**
 * The operation of a step.
 * @throws TypeError for an unknown operation: steps are validated when they are created
 */
function nameOfStep(step: GivenStep | SliceStep): StepName {
  const [name = '', ...others] = Object.keys(step);
  if (isStepName(name) && others.length === 0) return name;
  throw new TypeError('a step must have exactly one operation');
}

/** Maximum number of operations on one slice. Consecutive selections count as one. */
export const MAX_OPERATIONS = 8;

/** Maximum number of stored steps, in which every selection counts. */
export const MAX_STEPS = 64;

/** The canonical form of a step: equal for selections of the same elements of a slice of the same shape. */
export type CanonicalStep = { readonly select: ResolvedSelection } | Exclude<SliceStep, { select: unknown }>;

/** A slice and its steps. */
export interface SteppedSlice {
  readonly slice: LazySlice;
  /** The applied steps, with positions instead of labels. */
  readonly steps: readonly SliceStep[];
  /** The steps in canonical form, computed on the first call: for a cache key, or to count many steps. */
  canonical(): readonly CanonicalStep[];
}

export function withoutSteps(slice: LazySlice): SteppedSlice {
  return { slice, steps: [], canonical: () => [] };
}

/**
 * Applies one more step.
 * @throws InputError for more than `MAX_OPERATIONS` operations or `MAX_STEPS` steps; errors from the operation
 */
export async function takeStep(
  before: SteppedSlice,
  requested: GivenStep,
  scope: OperationScope,
): Promise<SteppedSlice> {
  const name = nameOfStep(requested);
  const quantity = async (): Promise<Quantity | undefined> => {
    const units = await scope.units?.();
    return quantityAfter(units === undefined ? undefined : { units, isDifference: false }, before.steps);
  };
  const step = await resolveStep(name, requested, before.slice, { ...scope, quantity });
  const next = await applyStep(before, name, step, scope);
  const count = next.steps.length;
  if (count > MAX_STEPS || (count > MAX_OPERATIONS && next.canonical().length > MAX_OPERATIONS))
    throw new InputError(
      `the slice has ${next.canonical().length} operations in ${count} steps; ` +
        `at most ${MAX_OPERATIONS} operations in ${MAX_STEPS} steps are allowed (consecutive selections count as one)`,
      { where: before.slice.where },
    );
  return next;
}

/** Applies stored steps. @throws errors from the operations */
export async function applySteps(
  start: SteppedSlice,
  steps: readonly SliceStep[],
  scope: OperationScope,
): Promise<SteppedSlice> {
  let derived = start;
  for (const step of steps) derived = await applyStep(derived, nameOfStep(step), step, scope);
  return derived;
}

async function applyStep<N extends StepName>(
  before: SteppedSlice,
  name: N,
  step: SliceStep,
  scope: OperationScope,
): Promise<SteppedSlice> {
  const values: Partial<StepValues> = step;
  const value = values[name];
  if (value === undefined) throw new TypeError(`the step ${name} has no arguments`);
  let canonical: readonly CanonicalStep[] | undefined;
  const slice = await inTurn(() => operations[name].apply(before.slice, value, scope));
  const { preparation } = slice;
  if (preparation !== undefined) {
    await scope.coordinates.reserve(preparation.bytes);
    await inTurns(preparation.steps());
  }
  return {
    slice,
    steps: [...before.steps, step],
    canonical: () => (canonical ??= withCanonical(before.canonical(), step, before.slice)),
  };
}

/** @throws errors from the operation */
async function resolveStep<N extends StepName>(
  name: N,
  values: Partial<GivenValues>,
  slice: LazySlice,
  scope: OperationScope,
): Promise<SliceStep> {
  const value = values[name];
  if (value === undefined) throw new TypeError(`the step ${name} has no arguments`);
  return operations[name].resolve(value, slice, scope);
}

/** @param slice the input of the step */
function withCanonical(
  canonical: readonly CanonicalStep[],
  step: SliceStep,
  { dims }: LazySlice,
): readonly CanonicalStep[] {
  if (!('select' in step)) return [...canonical, step];
  const select = resolveSelection(step.select, dims);
  if (isWhole(select, dims)) return canonical;
  const last = canonical.at(-1);
  return last !== undefined && 'select' in last
    ? [...canonical.slice(0, -1), { select: composeSelections(last.select, select) }]
    : [...canonical, { select }];
}

function isWhole(selection: ResolvedSelection, dims: LazySlice['dims']): boolean {
  return (
    selection.kind === 'box' &&
    selection.dims.every(
      (dim, d) =>
        dim.kind === 'range' &&
        !dim.dropped &&
        dim.wrap === undefined &&
        dim.count === dims[d]?.size &&
        (dim.step === 1 || dim.count < 2),
    )
  );
}
