/**
 * Folds: what turns the values of a slice into fewer. The threads that decode chunks make partial results of them by
 * `ReducerSpec`; a `Total` takes these in the order of the plan, so that its bits do not vary.
 */
import { sizeOf } from '../../bytes/shape.js';
import type { DataType } from '../../dtype/data-type.js';
import { mappedShape, type AxisMap, type PlacedAxis } from './axis-map.js';
import { addElements, isElements } from './add-elements.js';
import type { Cells } from './cells.js';
import { mergePartial } from './merge.js';
import type { PieceForm } from './piece.js';
import { kernelOf, type ReducerSpec, type SlotReducer } from './reducer.js';
import { createState, isState, stateBytes, type ReduceState } from './state.js';

/** Partial results put together. */
export interface Total<T> {
  /**
   * Adds the partial result of the next task. Yields after some milliseconds at most.
   * @param partial of a task with these axes, as the kind of reducer makes it; may come from a thread
   * @param form of the task's elements
   * @throws TypeError for what is none
   */
  add(partial: unknown, axes: readonly PlacedAxis[], form: PieceForm): Generator<void>;
  /** Whether what is added lies apart for each step, so that steps of neighbours may take turns. @default false */
  readonly goesByPieces?: boolean;
  /** Called once. */
  finish(): T;
}

/** @typeParam T the result */
export interface Fold<T> {
  readonly reducer: ReducerSpec;
  /** Of the dimensions of the slice, one each. */
  readonly maps: readonly AxisMap[];
  /** What goes with the elements; its axes are the dimensions of the slice. */
  readonly cells?: Cells | undefined;
  /** Bytes that the total takes. */
  readonly totalBytes: number;
  /** Bytes of a partial result for each element of the result that it touches. */
  readonly slotBytes: number;
  createTotal(): Total<T>;
}

/**
 * A fold into slots: numbers for each element of the result.
 * @param shape of the slice
 * @param dtype of its values
 */
export function slotFold(
  reducer: SlotReducer,
  maps: readonly AxisMap[],
  shape: readonly number[],
  dtype: DataType,
): Fold<ReduceState> {
  const kernel = kernelOf(reducer, dtype, Infinity);
  const slots = sizeOf(mappedShape(maps, shape));
  const totalBytes = stateBytes(slots, kernel.arrays);
  const createTotal = (): Total<ReduceState> => {
    const state = createState(slots, kernel.arrays);
    return {
      add(partial, axes, form) {
        if (isElements(partial, axes, form)) return addElements(kernel, state, partial, axes, form);
        if (!isState(partial, sizeOf(axes.map(({ axis }) => axis.slots)), kernel.arrays))
          throw new TypeError('a decoding thread returned an invalid partial result');
        return mergePartial(kernel, state, partial, axes);
      },
      goesByPieces: true,
      finish: () => state,
    };
  };
  return { reducer, maps, totalBytes, slotBytes: stateBytes(1, kernel.arrays), createTotal };
}
