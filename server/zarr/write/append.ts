/** Values added at an array's end. The metadata come first: of two who append at once each gets a place of its own. */
import { blockOfValues } from '../dtype/block-of-values.js';
import type { Block } from '../dtype/data-type.js';
import { InputError, type WriteReport } from '../errors.js';
import type { Limits } from '../limits.js';
import type { ArrayMeta } from '../metadata/model.js';
import type { NodeHome } from '../node-home.js';
import { assertWithinLimits } from '../read/cost.js';
import type { Selection } from '../selection/selection.js';
import type { ArraySlice } from '../slice.js';
import { changeShape, holdShape, type ShapeChange } from './change-shape.js';
import type { ChangeOptions } from './stored-node.js';

export interface AppendOptions extends ChangeOptions {
  /** Instead of the hierarchy's. */
  readonly limits?: Limits | undefined;
}

/** What was appended, and where. */
export interface Appended extends WriteReport {
  readonly axis: number;
  /** Along the axis: the first new position, and the one behind the last. */
  readonly start: number;
  readonly stop: number;
}

/**
 * @param values of the array's rank, and of its shape but for the axis
 * @param axis negative counts from the last
 * @throws InputError, LimitError, UnsupportedError, ConflictError before anything is written. Where writing the values
 *   fails, the array has its new shape already; `written` tells which chunks are there.
 */
export function appendToArray(
  home: NodeHome,
  prefix: string,
  values: unknown,
  axis: number,
  options: AppendOptions,
): Promise<Appended> {
  const { limits = home.limits } = options;
  return holdShape(home, prefix, options.signal, async (signal) => {
    let block: Block | undefined;
    const shapeOf = (meta: ArrayMeta): readonly number[] => {
      block = blockOfValues(values, meta.dtype, meta.shape.length);
      return appendedShape(meta.shape, block.shape, axis);
    };
    const check = ({ before, after }: ShapeChange): void => {
      after.source();
      assertWithinLimits({ ...newPart(before.shape, after, axis).cost(), allocatedBytes: 0 }, limits);
    };
    const { before, after } = await changeShape(home, prefix, shapeOf, check, { ...options, signal });
    home.changed?.({ kind: 'resized', path: after.path });
    const d = axisOf(before.shape, axis);
    const report = await newPart(before.shape, after, axis).write(block, { limits, signal });
    return { ...report, axis: d, start: before.shape[d] ?? 0, stop: after.shape[d] ?? 0 };
  });
}

function newPart(
  old: readonly number[],
  after: { select(selection: Selection): ArraySlice },
  axis: number,
): ArraySlice {
  const d = axisOf(old, axis);
  return after.select({
    kind: 'dims',
    dims: old.map((length, e) => (e === d ? { kind: 'slice', start: length } : { kind: 'slice' })),
  });
}

function axisOf(shape: readonly number[], axis: number): number {
  const d = axis < 0 ? axis + shape.length : axis;
  if (Number.isInteger(d) && d >= 0 && d < shape.length) return d;
  throw new InputError(
    shape.length === 0
      ? 'a 0-d array cannot be appended to'
      : `there is no axis ${axis}; the array has ${shape.length} dimensions`,
  );
}

function appendedShape(shape: readonly number[], added: readonly number[], axis: number): number[] {
  const d = axisOf(shape, axis);
  const fits = added.length === shape.length && added.every((length, e) => e === d || length === shape[e]);
  if (fits) return shape.map((length, e) => (e === d ? length + (added[d] ?? 0) : length));
  throw new InputError(
    `values of the shape [${added.join(', ')}] cannot be appended along axis ${d} to an array of the shape [${shape.join(', ')}]; all other lengths must be equal`,
  );
}
