/**
 * Lines through many points as they look in few pixels: the first, least, greatest and last point of each of `width` bins,
 * whatever lies between. Lazy: what a line takes is known before anything of it is read.
 */
import {
  type ArraySlice,
  type DataType,
  dataTypeName,
  type Excess,
  exceededLimits,
  type LazySlice,
  type Limits,
  type LineMethod,
  lineType,
  type ErrorContext,
  type PlanCost,
  type SliceFoldOptions,
} from '../zarr/index.js';
import { assertWidth, axisAlong, findAxis } from './line/find-axis.js';
import { middleType, withMissing } from './line/line-blocks.js';
import { lineCost, type LinePlan, type LineValues, readLines } from './line/read-lines.js';
import type { OperationScope } from './operations/operation.js';

export interface LineRequest {
  /** Bins, such as the pixels that the line is drawn into. */
  readonly width: number;
  /** The dimension: its name, or its position as text. @default the first one */
  readonly along?: string | undefined;
  /**
   * Labels of the coordinate (dates as text, or a beginning of that; positions where there is no coordinate), both
   * included. The nearest point outside each of them is part of the line, too.
   * @default the coordinate's own ends
   */
  readonly from?: unknown;
  readonly to?: unknown;
  readonly method: LineMethod;
}

export interface TypedName {
  readonly dtype: DataType;
  readonly dtypeName: string;
}

export interface Line {
  readonly where: ErrorContext;
  /** Those of the slice, and of the coordinate. */
  readonly inputs: readonly ArraySlice[];
  readonly x: TypedName;
  readonly y: TypedName;
  /** What reading takes, at most. */
  cost(): PlanCost;
  exceeded(limits: Limits): readonly Excess[];
  /**
   * @throws as `LazySlice.read`; SelectionError for a coordinate that is not sorted, and for ends that are no labels of it
   */
  read(options?: SliceFoldOptions): Promise<LineValues>;
}

/**
 * @param slice of one dimension, or of two: one line for each place along the other
 * @throws InputError, SelectionError, UnsupportedError for what cannot be drawn; what reading a coordinate's type throws
 */
export async function lineOf(slice: LazySlice, request: LineRequest, scope: OperationScope): Promise<Line> {
  const { width, method } = request;
  assertWidth(width);
  const along = axisAlong(slice, request.along);
  const isSingle = slice.dims.length === 1;
  const own = lineType(method, slice.dtype);
  const dtype = isSingle ? own : withMissing(own);
  const axis = await findAxis(slice, along, scope);
  const label = method === 'MEAN' ? middleType(axis.dtype) : axis.dtype;
  const labelType = isSingle ? label : withMissing(label);
  const plan: LinePlan = { slice, along, axis, range: request, width, method, dtype, labelType };
  const cost = (): PlanCost => lineCost(plan);
  return {
    where: slice.where,
    inputs: [...slice.inputs, ...axis.inputs],
    x: { dtype: labelType, dtypeName: labelType === axis.dtype ? axis.dtypeName : dataTypeName(labelType) },
    y: { dtype, dtypeName: dtype === slice.dtype ? slice.dtypeName : dataTypeName(dtype) },
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: (options = {}) => readLines(plan, options),
  };
}
