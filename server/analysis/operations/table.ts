/**
 * The operations on slices, by name. To add one, add its arguments to `StepValues` (and to `GivenValues` if
 * callers may pass more than is stored) and its entry to `operations`.
 */
import type { SelectionOrLabels } from '../../dataset/labels/label-selection.js';
import type { CoarsenRequest, RollingRequest, Selection } from '../../zarr/index.js';
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import { anomalyOperation } from './anomaly.js';
import { coarsenOperation } from './coarsen.js';
import { fieldOperation } from './field.js';
import { groupOperation, type GroupRequest } from './group.js';
import { type InterpolateAt, interpolateOperation } from './interpolate.js';
import type { Operation } from './operation.js';
import { type ReduceArguments, reduceOperation } from './reduce.js';
import type { Polygons } from '../within/geometry.js';
import { rollingOperation } from './rolling.js';
import { selectOperation } from './select.js';
import { withinOperation } from './within.js';

/** The stored arguments of every operation. */
export interface StepValues {
  readonly select: Selection;
  readonly field: string;
  readonly reduce: ReduceArguments;
  readonly group: GroupRequest;
  readonly anomaly: GroupingRequest;
  readonly rolling: RollingRequest;
  readonly coarsen: CoarsenRequest;
  readonly within: Polygons;
  readonly interpolate: readonly InterpolateAt[];
}

/** The caller's arguments of every operation. */
export interface GivenValues extends Omit<StepValues, 'select' | 'within'> {
  readonly select: SelectionOrLabels;
  /** GeoJSON. */
  readonly within: unknown;
}

export type OperationName = keyof StepValues;

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

export function isOperationName(name: string): name is OperationName {
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
 * @throws TypeError for an unknown one: steps are validated when they are created
 */
export function nameOfStep(step: GivenStep | SliceStep): OperationName {
  const [name = '', ...others] = Object.keys(step);
  if (isOperationName(name) && others.length === 0) return name;
  throw new TypeError('a step must have exactly one operation');
}
