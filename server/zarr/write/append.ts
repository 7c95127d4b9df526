/**
 * Appends values at the end of an array: first writes the chunks, then the shape, so that readers never see
 * incomplete values. The next append overwrites the values of an interrupted one.
 */
import { defined } from '../../../wire/guards.js';
import { blockOfValues } from '../../core/dtype/block-of-values.js';
import type { Block } from '../../core/dtype/data-type.js';
import { InputError, ZarrError, type WriteReport } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import type { ArrayMeta } from '../../format/metadata/model.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { assertWithinLimits } from '../../format/plan/cost.js';
import type { Selection } from '../../format/selection/selection.js';
import type { ArraySlice } from '../../slices/lazy-slice.js';
import { assertSameShape, changeShape, holdShape, planShape } from './change-shape.js';
import { SettledConflictError } from '../../chunks/write/retry-conflicts.js';
import type { ChangeOptions } from './stored-node.js';
import { prepareWrite, notifyData } from '../../chunks/write/write-region.js';

export interface AppendOptions extends ChangeOptions {
  /** Limits of the append. @default the limits of the hierarchy */
  readonly limits?: Limits | undefined;
  /**
   * The expected current length of the axis; otherwise the append fails with CONFLICT. Makes retries safe:
   * if the first attempt succeeded, the length has changed.
   */
  readonly offset?: number | undefined;
}

/** The result of an append. */
export interface Appended extends WriteReport {
  readonly axis: number;
  /** New positions along the axis: `start` (inclusive) to `stop` (exclusive). */
  readonly start: number;
  readonly stop: number;
}

/**
 * @param values values with the rank of the array, and its shape except along the axis
 * @param axis negative values count from the last axis
 * @throws before anything is written: InputError for invalid values, LimitError, UnsupportedError,
 * ConflictError if the array changed. If writing the values fails, the array is unchanged; `written` reports
 * the chunks with values beyond its end
 */
export function appendToArray(
  context: NodeContext,
  prefix: string,
  values: unknown,
  axis: number,
  options: AppendOptions,
): Promise<Appended> {
  const { limits = context.limits } = options;
  return holdShape(context, prefix, options.signal, async (signal, assertHeld) => {
    let block: Block | undefined;
    const shapeOf = (meta: ArrayMeta): readonly number[] => {
      assertOffset(meta.shape, axis, options.offset);
      block = blockOfValues(values, meta.dtype, meta.shape.length);
      return appendedShape(meta.shape, block.shape, axis);
    };
    const { before, after } = await planShape(context, prefix, shapeOf, { ...options, signal });
    const part = newPart(before.shape, after, axis);
    assertWithinLimits({ ...part.writeCost(), allocatedBytes: 0 }, limits);
    const write = await prepareWrite(after, part.selection, undefined, block, { limits, signal, assertHeld });
    const publishedShape = (meta: ArrayMeta): readonly number[] => {
      assertSameShape(meta, before.shape);
      return after.shape;
    };
    const publish = async (): Promise<void> => {
      await changeShape(context, prefix, publishedShape, () => assertHeld?.(), { ...options, signal });
    };
    // Icechunk refuses chunks beyond the shape.
    const { isIsolated = false } = context.store;
    if (isIsolated) await publish();
    const report = await write();
    try {
      if (!isIsolated) await publish();
    } catch (error) {
      throw error instanceof ZarrError ? error.afterWriting(report) : error;
    }
    context.changed?.({ kind: 'resized', path: after.path });
    notifyData(context, after.path, part.selection);
    const d = axisOf(before.shape, axis);
    return { ...report, axis: d, start: defined(before.shape[d]), stop: defined(after.shape[d]) };
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
      ? 'cannot append to a 0-d array'
      : `axis ${axis} does not exist; the array has ${shape.length} dimensions`,
  );
}

function assertOffset(shape: readonly number[], axis: number, offset: number | undefined): void {
  const d = axisOf(shape, axis);
  const length = defined(shape[d]);
  if (offset === undefined || offset === length) return;
  throw new SettledConflictError(
    `the length of axis ${d} is ${length}, but "offset" is ${offset}; an earlier append may have succeeded, so read the array again`,
  );
}

function appendedShape(shape: readonly number[], added: readonly number[], axis: number): number[] {
  const d = axisOf(shape, axis);
  const fits = added.length === shape.length && added.every((length, e) => e === d || length === shape[e]);
  if (fits) return shape.map((length, e) => (e === d ? length + defined(added[d]) : length));
  throw new InputError(
    `values of shape [${added.join(', ')}] cannot be appended along axis ${d} to an array of shape [${shape.join(', ')}]; the lengths of all other axes must be equal`,
  );
}
