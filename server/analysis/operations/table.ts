/**
 * The operations on slices, by name. To add one, declare it in a file and add it to `declaredOperations`; everything else
 * is derived. An operation whose arguments are lists or objects is added to `StepValues`, to `GivenValues` if callers may
 * pass more than is stored, and to `operations`.
 */
import type { SelectionOrLabels } from '../../dataset/labels/label-selection.js';
import type { CoarsenRequest, Selection } from '../../zarr/index.js';
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import { cumulativeOperation } from './along/cumulative.js';
import { differenceOperation } from './along/difference.js';
import { fillOperation } from './along/fill.js';
import { rankOperation, sortOperation, topOperation } from './along/order.js';
import { runsOperation } from './along/runs.js';
import { shiftOperation } from './along/shift.js';
import { upsampleOperation } from './along/upsample.js';
import { coarsenOperation } from './coarsen.js';
import { convertOperation } from './convert.js';
import type { DeclaredOperation } from './declared.js';
import { anomalyOperation, groupOperation, type GroupRequest } from './group.js';
import { type InterpolateAt, interpolateOperation } from './interpolate.js';
import { labelOfOperation } from './label-of.js';
import { nearOperation } from './near.js';
import type { Operation } from './operation.js';
import { regridOperation } from './regrid.js';
import { type ReduceArguments, reduceOperation } from './reduce.js';
import { type RollingArguments, rollingOperation } from './rolling.js';
import type { Polygons } from '../within/geometry.js';
import { fieldOperation, selectOperation } from './select.js';
import { whereOperation } from './where.js';
import { withinOperation } from './within.js';

/** The operations from whose declarations schema, SDK and command line are derived. */
export const declaredOperations = {
  cumulative: cumulativeOperation,
  difference: differenceOperation,
  shift: shiftOperation,
  runs: runsOperation,
  fill: fillOperation,
  rank: rankOperation,
  sort: sortOperation,
  top: topOperation,
  labelOf: labelOfOperation,
  where: whereOperation,
  convert: convertOperation,
  upsample: upsampleOperation,
  regrid: regridOperation,
  near: nearOperation,
};

export type DeclaredName = keyof typeof declaredOperations;

type DeclaredValues = {
  readonly [N in DeclaredName]: (typeof declaredOperations)[N] extends DeclaredOperation<infer V, unknown>
    ? V
    : never;
};

export const declaredNames: readonly DeclaredName[] = Object.keys(declaredOperations).filter(isDeclaredName);

function isDeclaredName(name: string): name is DeclaredName {
  return Object.hasOwn(declaredOperations, name);
}

/** The stored arguments of every operation. */
export interface StepValues extends DeclaredValues {
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

export type StepName = keyof StepValues;

type Steps<Values> = { readonly [N in keyof Values]: { readonly [M in N]: Values[N] } };

/**
 * One operation with its arguments: an object with one member, like the input type SliceStep. Can be
 * serialised as JSON.
 */
export type SliceStep = Steps<StepValues>[StepName];

/** One operation with the caller's arguments. */
export type GivenStep = Steps<GivenValues>[StepName];

export const operations: {
  readonly [N in StepName]: Operation<Steps<StepValues>[N], StepValues[N], GivenValues[N]>;
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
  ...declaredOperations,
};

export function isStepName(name: string): name is StepName {
  return Object.hasOwn(operations, name);
}

/** Whether this is a valid stored step: the name of one operation, with arguments that it accepts. */
export function isSliceStep(json: unknown): json is SliceStep {
  if (typeof json !== 'object' || json === null) return false;
  const entries: readonly [string, unknown][] = Object.entries(json);
  if (entries[0] === undefined || entries.length > 1) return false;
  const [name, value] = entries[0];
  return isStepName(name) && operations[name].form.safeParse(value).success;
}
