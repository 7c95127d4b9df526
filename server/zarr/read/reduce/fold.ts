/**
 * Folds reduce the values of a slice. Threads that decode chunks compute partial results by a `ReducerSpec`;
 * a `Total` merges them in the order of the plan, so that the result is reproducible bit by bit.
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

/** The merged partial results. */
export interface Total<T> {
  /**
   * Merges the partial result of the next task. Yields after a few milliseconds at most.
   * @param partial partial result of a task with these axes, possibly from another thread
   * @param form form of the task's elements
   * @throws TypeError for a malformed partial result
   */
  add(partial: unknown, axes: readonly PlacedAxis[], form: PieceForm): Generator<void>;
  /** Whether tasks add to separate parts of the total, so that merges may interleave. @default false */
  readonly goesByPieces?: boolean;
  /** Called once. */
  finish(): T;
}

/** @typeParam T the type of the result */
export interface Fold<T> {
  readonly reducer: ReducerSpec;
  /** One axis per dimension of the slice. */
  readonly maps: readonly AxisMap[];
  /** Masks and weights. Their axes are the dimensions of the slice. */
  readonly cells?: Cells | undefined;
  /** Memory of the merged result, in bytes. */
  readonly totalBytes: number;
  /** Memory of a partial result, in bytes per element of the result that it contributes to. */
  readonly slotBytes: number;
  createTotal(): Total<T>;
}

/**
 * A fold with slots: a few numbers for each element of the result.
 * @param shape shape of the slice
 * @param dtype data type of the values
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
