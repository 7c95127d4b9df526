/** The reducers by kind. A reducer is specified by plain data, so that threads can run it. */
import type { DataType } from '../../core/dtype/data-type.js';
import type { LabelOrderSpec } from '../line/label-order.js';
import { type LineSpec, lineSlots } from '../line/line-slots.js';
import type { StatisticsSpec } from '../statistics/statistics-partial.js';
import type { Kernel } from '../kernel.js';
import { pairKernel } from '../pairs/pair-moments.js';
import { type ReductionSpec, slotsOf } from './reduction.js';

/** A reducer and its parameters, as plain data. */
export type ReducerSpec =
  | SlotReducer
  | ({ readonly kind: 'statistics' } & StatisticsSpec)
  | ({ readonly kind: 'labelOrder' } & LabelOrderSpec);

/** Reducers whose state is a few numbers per element of the result. */
export type SlotReducer =
  | ({ readonly kind: 'reduction' } & ReductionSpec)
  | ({ readonly kind: 'line' } & LineSpec)
  /** The moments of pairs; see `pairKernel`. */
  | { readonly kind: 'pairs' };

/**
 * @param dtype data type of the reduced values
 * @param slotElements maximum number of a task's elements per slot
 */
export function kernelOf(spec: SlotReducer, dtype: DataType, slotElements: number): Kernel {
  if (spec.kind === 'pairs') return pairKernel;
  return spec.kind === 'line'
    ? lineSlots(spec, dtype)
    : slotsOf(spec).kernel(dtype, slotElements, spec.skipMissing);
}
