/**
 * The operations on slices, by name. To add one, add its arguments to `StepValues` (and to `GivenValues` if
 * callers may pass more than is stored) and its entry to `operations`.
 */
import type { SelectionOrLabels } from '../../dataset/labels/label-selection.js';
import {
  type CoarsenRequest,
  type Selection,
  composeSelections,
  InputError,
  type LazySlice,
  resolveSelection,
  type ResolvedSelection,
  inTurn,
  inTurns,
} from '../../zarr/index.js';
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import { coarsenOperation } from './coarsen.js';
import { groupOperation, type GroupRequest, anomalyOperation } from './group.js';
import { type InterpolateAt, interpolateOperation } from './interpolate.js';
import type { Operation, OperationScope } from './operation.js';
import { type ReduceArguments, reduceOperation } from './reduce.js';
import { type RollingArguments, rollingOperation } from './rolling.js';
import type { Polygons } from '../within/geometry.js';
import { selectOperation, fieldOperation } from './select.js';
import { withinOperation } from './within.js';

/** The stored arguments of every operation. */
interface StepValues {
  readonly select: Selection;
  readonly field: string;
  readonly reduce: ReduceArguments;
  readonly group: GroupRequest;
  readonly anomaly: GroupingRequest;
  readonly rolling: RollingArguments;
  readonly coarsen: CoarsenRequest;
  readonly within: Polygons;
  readonly interpolate: readonly InterpolateAt[];
}

/** The caller's arguments of every operation. */
export interface GivenValues extends Omit<StepValues, 'select' | 'within'> {
  readonly select: SelectionOrLabels;
  /** Polygons as GeoJSON. */
  readonly within: unknown;
}

type OperationName = keyof StepValues;

type Steps<Values> = { readonly [N in keyof Values]: { readonly [M in N]: Values[N] } };

/**
 * One operation with its arguments: an object with one member, like the input type SliceStep. Can be
 * serialised as JSON.
 */
export type SliceStep = Steps<StepValues>[OperationName];

/** One operation with the caller's arguments. */
export type GivenStep = Steps<GivenValues>[OperationName];

export const operations: {
  readonly [N in OperationName]: Operation<Steps<StepValues>[N], StepValues[N], GivenValues[N]>;
} = {
  select: selectOperation,
  field: fieldOperation,
  reduce: reduceOperation,
  group: groupOperation,
  anomaly: anomalyOperation,
  rolling: rollingOperation,
  coarsen: coarsenOperation,
  within: withinOperation,
  interpolate: interpolateOperation,
};

function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** Whether this is a valid stored step: the name of one operation, with arguments that it accepts. */
export function isSliceStep(json: unknown): json is SliceStep {
  if (typeof json !== 'object' || json === null) return false;
  const entries: readonly [string, unknown][] = Object.entries(json);
  if (entries[0] === undefined || entries.length > 1) return false;
  const [name, value] = entries[0];
  return isOperationName(name) && operations[name].form.safeParse(value).success;
}

/**
 * The operation of a step.
 * @throws TypeError for an unknown operation: steps are validated when they are created
 */
function nameOfStep(step: GivenStep | SliceStep): OperationName {
  const [name = '', ...others] = Object.keys(step);
  if (isOperationName(name) && others.length === 0) return name;
  throw new TypeError('a step must have exactly one operation');
}

// Slices derived by a list of operations. Fields of a document, links, batches and cache keys all apply
// operations with these functions.

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
  const step = await resolveStep(name, requested, before.slice, scope);
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

async function applyStep<N extends OperationName>(
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
async function resolveStep<N extends OperationName>(
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
