/**
 * Slices made by a list of operations. The one way to apply operations: fields of a document, links, batches and cache
 * keys all go through it.
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

/** Operations on one slice, at most. Selections that follow one another are one. */
export const MAX_OPERATIONS = 8;

/** Steps that are written down, at most: selections are not joined there. */
export const MAX_STEPS = 64;

/** A step in one spelling: selections that select the same from a slice of the same shape are equal. */
export type CanonicalStep = { readonly select: ResolvedSelection } | Exclude<SliceStep, { select: unknown }>;

/** A slice, and how it was made. */
export interface SteppedSlice {
  readonly slice: LazySlice;
  /** As they were taken, with positions in place of labels. */
  readonly steps: readonly SliceStep[];
  readonly canonical: readonly CanonicalStep[];
}

export function withoutSteps(slice: LazySlice): SteppedSlice {
  return { slice, steps: [], canonical: [] };
}

/**
 * Takes one more step.
 * @throws InputError for more than `MAX_OPERATIONS`; what the operation throws
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
      `a slice is made by at most ${MAX_OPERATIONS} operations (selections that follow one another count as one) in at most ${MAX_STEPS} steps`,
      { where: before.slice.where },
    );
  return next;
}

/** Takes steps that were kept. @throws what the operations throw */
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

/** @throws what the operation throws */
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

/** @param slice before the step */
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
