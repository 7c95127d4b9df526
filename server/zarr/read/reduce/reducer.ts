/**
 * The reducers by kind. A reducer is specified by plain data, so that threads can run it. To add one with
 * slots, extend `SlotReducer` and `kernelOf`.
 */
import type { DataType } from '../../dtype/data-type.js';
import type { LabelOrderSpec } from '../line/label-order.js';
import { type LineSpec, lineSlots } from '../line/line-slots.js';
import { argKernel, type ArgSpec } from './arg.js';
import { extremeKernel, type ExtremeSpec } from './extreme.js';
import type { Kernel } from './kernel.js';
import { momentsKernel } from './moments.js';
import { pickKernel, type PickSpec } from './pick.js';
import type { StatisticsSpec } from '../statistics/statistics-partial.js';
import { sumKernel } from './sum.js';
import { truthKernel } from './truth.js';
import { weightedKernel, type WeightedSpec } from './weighted.js';
import { planesOf } from '../number-planes.js';

/** A reducer and its parameters, as plain data. */
export type ReducerSpec =
  | SlotReducer
  | ({ readonly kind: 'statistics' } & StatisticsSpec)
  | ({ readonly kind: 'labelOrder' } & LabelOrderSpec);

/** Reducers whose state is a few numbers per element of the result. */
export type SlotReducer =
  /** A reducer with no state except the number of values, which every state has. */
  | { readonly kind: 'count' }
  | { readonly kind: 'sum' }
  | { readonly kind: 'moments' }
  | { readonly kind: 'truth' }
  | ({ readonly kind: 'extreme' } & ExtremeSpec)
  | ({ readonly kind: 'pick' } & PickSpec)
  | ({ readonly kind: 'arg' } & ArgSpec)
  | ({ readonly kind: 'line' } & LineSpec)
  /** Reducers for weighted reductions only. */
  | ({ readonly kind: 'weighted' } & WeightedSpec);

/**
 * @param dtype data type of the reduced values
 * @param slotElements maximum number of a task's elements per slot
 */
export function kernelOf(spec: SlotReducer, dtype: DataType, slotElements: number): Kernel {
  const planes = planesOf(dtype);
  switch (spec.kind) {
    case 'count':
      return countKernel;
    case 'sum':
      return sumKernel(dtype, slotElements);
    case 'moments':
      return momentsKernel(planes);
    case 'truth':
      return truthKernel(planes);
    case 'extreme':
      return extremeKernel(spec, planes);
    case 'pick':
      return pickKernel(spec, planes);
    case 'arg':
      return argKernel(spec, planes);
    case 'line':
      return lineSlots(spec, dtype);
    case 'weighted':
      return weightedKernel(spec, planes);
  }
}

const countKernel: Kernel = {
  arrays: [],
  needsPositions: false,
  passes: 1,
  add: () => undefined,
  repeat: () => undefined,
  merge: () => undefined,
};
