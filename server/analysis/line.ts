/**
 * Line charts: reduces many points to a few for each of `width` bins. With the method M4, these are the
 * first, smallest, largest and last point, and the chart has the same pixels as a chart of all points. Lazy:
 * the cost is computed before any data is read.
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
import { assertWidth, lineDimension, findAxis } from './line/find-axis.js';
import { middleType, withMissing } from './line/line-blocks.js';
import { lineCost, type LinePlan, type LineValues, readLines } from './line/read-lines.js';
import type { OperationScope } from './operations/operation.js';

export interface LineRequest {
  /** Number of bins, for example the width of the chart in pixels. */
  readonly width: number;
  /** The dimension of the x-axis: its name, or its position as text. @default the first dimension */
  readonly along?: string | undefined;
  /**
   * Inclusive range of labels (dates as text, possibly truncated; positions if there is no coordinate). The
   * nearest point outside each end is included in the line.
   * @default the ends of the coordinate
   */
  readonly from?: unknown;
  readonly to?: unknown;
  readonly method: LineMethod;
}

interface TypedName {
  readonly dtype: DataType;
  readonly dtypeName: string;
}

export interface Line {
  readonly where: ErrorContext;
  /** Inputs of the slice and of the coordinate. */
  readonly inputs: readonly ArraySlice[];
  readonly x: TypedName;
  readonly y: TypedName;
  /** Upper bound of the cost. */
  cost(): PlanCost;
  exceeded(limits: Limits): readonly Excess[];
  /**
   * @throws errors from `LazySlice.read`; SelectionError for an unsorted coordinate or an invalid range;
   * InputError for an unbounded range; ConflictError if an object changes during the read
   */
  read(options?: SliceFoldOptions): Promise<LineValues>;
}

/**
 * @param slice slice of one dimension, or of two for one line per position along the other dimension
 * @throws InputError, SelectionError, UnsupportedError if the slice cannot be drawn; errors from determining
 *   the decoding of the coordinate
 */
export async function lineOf(slice: LazySlice, request: LineRequest, scope: OperationScope): Promise<Line> {
  const { width, method } = request;
  assertWidth(width);
  const along = lineDimension(slice, request.along);
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
