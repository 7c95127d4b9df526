/** Slices of rolling windows: reductions of windows that move along a dimension. */
import { sizeOf, stridesOf } from '../../bytes/shape.js';
import { dataTypeName, isFixedSize, type Block, type DataType } from '../../dtype/data-type.js';
import { InputError, throwIfAborted, UnsupportedError, withContext } from '../../errors.js';
import { alongAxis, type AxisView, chosenPart, selectView, wholeView } from './axis-view.js';
import type { LazySlice, SliceReadOptions } from '../lazy-slice.js';
import { wholeDim } from '../mapped/mapped-origin.js';
import { pickSlice } from '../picked-slice.js';
import { exceededLimits } from '../../read/check-limits.js';
import { isReal } from '../../read/float-elements.js';
import type { PlanCost } from '../../read/plan.js';
import { writerOf } from '../../read/reduce/finish.js';
import { hasMissing, type ReductionName, resultTypeOf } from '../../read/reduce/reduction.js';
import { positionOfDim } from '../../read/reduce/resolve.js';
import { rollingNames, type RollingName } from '../../read/rolling.js';
import { HELD_ELEMENTS, rollTile, type TileResult, tilesOf } from './rolling-tiles.js';
import { countOf, positionAt } from '../../selection/compose.js';
import { resolveSelection } from '../../selection/resolve.js';
import type { RangeDim, ResolvedDim } from '../../selection/selection.js';
import { createStreamSession, streamSlice, watchVersions } from '../stream-slice.js';
import { createPause } from '../../turns.js';

export interface RollingRequest {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Length of a window in positions. */
  readonly window: number;
  /**
   * Whether a window is centred on its position instead of ending there. A window of even length has one
   * more position before its position than after it. @default false
   */
  readonly center?: boolean | undefined;
  readonly by: ReductionName;
  /**
   * Minimum number of values; results of windows with fewer values are missing. @default the window's
   * length
   */
  readonly minCount?: number | undefined;
}

export const MAX_WINDOW = 100_000;

interface Rolling {
  readonly by: RollingName;
  readonly window: number;
  readonly after: number;
  readonly minCount: number;
  readonly dtype: DataType;
}

/**
 * Creates a slice of rolling windows. Reads nothing.
 * @throws InputError, SelectionError for an invalid request; UnsupportedError for an unsupported reduction
 * or data type
 */
export function rollSlice(slice: LazySlice, request: RollingRequest): LazySlice {
  try {
    const axis = positionOfDim(request.dim, slice.dims);
    return rollingOf(wholeView(slice, axis), resolveRolling(request, slice.dtype));
  } catch (error) {
    throw withContext(error, slice.where);
  }
}

function resolveRolling({ by, window, center = false, minCount }: RollingRequest, source: DataType): Rolling {
  if (!Number.isSafeInteger(window) || window < 1 || window > MAX_WINDOW)
    throw new InputError(`"window" is ${window}; it must be an integer from 1 to ${MAX_WINDOW}`);
  if (minCount !== undefined && (!Number.isSafeInteger(minCount) || minCount < 1 || minCount > window))
    throw new InputError(`minCount is ${minCount}; it must be an integer from 1 to the window's length`);
  const name = rollingNames.find((one) => one === by);
  const dtype = resultTypeOf(by, source);
  if (name === undefined)
    throw new UnsupportedError(
      `unsupported reduction ${by} for windows; the reductions are ${rollingNames.join(', ')}`,
    );
  if (!isReal(source)) throw new UnsupportedError(`windows of type ${source.name} are not supported`);
  if (name === 'COUNT' && minCount !== undefined)
    throw new InputError(
      'COUNT does not support minCount, because its result is never missing; omit minCount',
    );
  const least = minCount ?? window;
  if (name !== 'COUNT' && !hasMissing(dtype) && least > 1)
    throw new UnsupportedError(
      `incomplete windows have no value in ${dtype.name}, which has no missing value; set minCount to 1`,
    );
  const after = center ? window - 1 - Math.floor(window / 2) : 0;
  return { by: name, window, after, minCount: name === 'COUNT' ? 0 : least, dtype };
}

/** @param view must cover consecutive positions */
function rollingOf(view: AxisView, rolling: Rolling): LazySlice {
  const { dtype } = rolling;
  const own = chosenPart(view);
  const needed = neededOf(view, rolling);
  const outputBytes = sizeOf(own.shape) * (dtype.itemSize ?? 0);
  const cost = (): PlanCost => {
    const read = needed.slice.cost();
    return {
      ...read,
      outputBytes,
      allocatedBytes: outputBytes,
      intermediateBytes: read.intermediateBytes + heldBytes(needed.slice) + STATE_BYTES,
    };
  };
  const slice: LazySlice = {
    where: own.where,
    inputs: needed.slice.inputs,
    origin: own.origin,
    dtype,
    dtypeName: dataTypeName(dtype),
    shape: own.shape,
    dims: own.dims,
    takesOut: true,
    select(selection) {
      const resolved = resolveSelection(selection, slice.dims);
      if (resolved.kind === 'points') return pickSlice(slice, resolved);
      const inner = selectView(view, resolved.dims);
      const run = hullOf(inner.chosen);
      const hull = rollingOf({ ...inner, chosen: run }, rolling);
      if (inner.chosen.kind === 'range' && inner.chosen.step === 1 && !inner.chosen.dropped) return hull;
      const dims = hull.shape.map((size, d) =>
        d === inner.axis ? within(inner.chosen, run.start) : wholeDim(size),
      );
      return pickSlice(hull, { kind: 'box', dims });
    },
    field() {
      throw new UnsupportedError('windows have no fields; select the field first');
    },
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: (options = {}) => readRolling(slice, view, needed, rolling, options),
    stream: (options) => streamSlice(slice, options),
  };
  return slice;
}

/** The part of the source that windows cover. */
interface Needed {
  readonly slice: LazySlice;
  /** First position of that part along the axis. */
  readonly first: number;
}

function neededOf({ source, axis, chosen }: AxisView, { window, after }: Rolling): Needed {
  const count = countOf(chosen);
  const start = count === 0 ? 0 : positionAt(chosen, 0);
  const first = Math.max(0, start - (window - 1 - after));
  const stop = count === 0 ? first : Math.min(source.shape[axis] ?? 0, start + count + after);
  return {
    slice: source.select({ kind: 'dims', dims: alongAxis(axis, { kind: 'slice', start: first, stop }) }),
    first,
  };
}

function hullOf(dim: ResolvedDim): RangeDim {
  const count = countOf(dim);
  let [first, last] = [Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    first = Math.min(first, positionAt(dim, i));
    last = Math.max(last, positionAt(dim, i));
  }
  return count === 0
    ? { kind: 'range', start: 0, step: 1, count: 0, dropped: false }
    : { kind: 'range', start: first, step: 1, count: last - first + 1, dropped: false };
}

function within(dim: ResolvedDim, first: number): ResolvedDim {
  if (dim.kind === 'list') return { ...dim, at: dim.at.map((position) => position - first) };
  return { ...dim, start: dim.count === 0 ? 0 : dim.start - first };
}

/** Parameters of `rollRows`. */
const STATE_BYTES = 8 * 2 ** 20;

function heldBytes(needed: LazySlice): number {
  return Math.min(needed.cost().allocatedBytes + 8 * sizeOf(needed.shape), 16 * HELD_ELEMENTS);
}

async function readRolling(
  { shape }: LazySlice,
  { axis, chosen }: AxisView,
  { slice: input, first }: Needed,
  rolling: Rolling,
  { out, readOnly: _, ...options }: SliceReadOptions,
): Promise<Block> {
  const { dtype } = rolling;
  if (!isFixedSize(dtype))
    throw new UnsupportedError(`unsupported data type ${dtype.name} for the result of windows`);
  const length = sizeOf(shape) * dtype.itemSize;
  const bytes = out ?? new Uint8Array(length);
  if (bytes.length !== length) throw new InputError(`"out" is ${bytes.length} bytes; expected ${length}`);
  const result: TileResult = {
    floats: floatsIn(bytes, dtype),
    write: writerOf(dtype, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  };
  const strides = stridesOf(shape);
  const from = countOf(chosen) === 0 ? 0 : positionAt(chosen, 0);
  const windows = { ...rolling, from, to: from + countOf(chosen) };
  const { onVersion, assertUnchanged } = watchVersions(input, { ...options, session: createStreamSession() });
  const pause = createPause();
  for (const tile of tilesOf(input.shape, axis)) {
    const block = await input.select(tile.selection).read({ ...options, onVersion });
    assertUnchanged();
    for (const _step of rollTile(block, tile, axis, first, strides, windows, result)) {
      await pause();
      throwIfAborted(options.signal);
    }
  }
  return { dtype, shape, bytes };
}

function floatsIn(bytes: Uint8Array, { name, itemSize }: DataType): TileResult['floats'] {
  if ((name !== 'float32' && name !== 'float64') || bytes.byteOffset % (itemSize ?? 1) !== 0)
    return undefined;
  const count = bytes.length / (itemSize ?? 1);
  return name === 'float32'
    ? new Float32Array(bytes.buffer, bytes.byteOffset, count)
    : new Float64Array(bytes.buffer, bytes.byteOffset, count);
}
