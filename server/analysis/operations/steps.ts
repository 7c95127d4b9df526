/**
 * Slices derived by a list of operations. All operations are applied here: fields of a document, links,
 * batches and cache keys.
 */
import { composeSelections, InputError, type LazySlice, resolveSelection, type ResolvedSelection } from '../../zarr/index.js'; // prettier-ignore
import type { OperationScope } from './operation.js';
import {
  type GivenStep,
  type GivenValues,
  nameOfStep,
  type OperationName,
  operations,
  type SliceStep,
  type StepValues,
} from './table.js';

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
  readonly canonical: readonly CanonicalStep[];
}

export function withoutSteps(slice: LazySlice): SteppedSlice {
  return { slice, steps: [], canonical: [] };
}

/**
 * Applies one more step.
 * @throws InputError for more than `MAX_OPERATIONS` steps; errors of the operation
 */
export async function takeStep(
  before: SteppedSlice,
  given: GivenStep,
  scope: OperationScope,
): Promise<SteppedSlice> {
  const name = nameOfStep(given);
  const next = await applyStep(before, await resolveStep(name, given, before.slice, scope), scope);
  if (next.canonical.length > MAX_OPERATIONS || next.steps.length > MAX_STEPS)
    throw new InputError(
      `the slice has too many operations; at most ${MAX_OPERATIONS} operations (consecutive selections count as one) in ${MAX_STEPS} steps are allowed`,
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
  let made = start;
  for (const step of steps) made = await applyStep(made, step, scope);
  return made;
}

async function applyStep(
  { slice, steps, canonical }: SteppedSlice,
  step: SliceStep,
  scope: OperationScope,
): Promise<SteppedSlice> {
  return {
    slice: await applyNamed(nameOfStep(step), step, slice, scope),
    steps: [...steps, step],
    canonical: withCanonical(canonical, step, slice),
  };
}

async function applyNamed<N extends OperationName>(
  name: N,
  step: Partial<StepValues>,
  slice: LazySlice,
  scope: OperationScope,
): Promise<LazySlice> {
  const value = step[name];
  if (value === undefined) throw new TypeError(`the step ${name} has no arguments`);
  return operations[name].apply(slice, value, scope);
}

/** @throws errors from the operation */
async function resolveStep<N extends OperationName>(
  name: N,
  given: Partial<GivenValues>,
  slice: LazySlice,
  scope: OperationScope,
): Promise<SliceStep> {
  const value = given[name];
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
        dim.count === dims[d]?.size &&
        (dim.step === 1 || dim.count < 2),
    )
  );
}
