/** Reads windows that move along a dimension, at once or block by block. */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { destination } from '../../core/bytes/values.js';
import { copyStrided } from '../../core/bytes/strided-copy.js';
import { isFixedSize, type Block, type DataType } from '../../core/dtype/data-type.js';
import { throwIfAborted, UnsupportedError } from '../../core/errors.js';
import { defaultLimits, type Limits } from '../../core/limits.js';
import { writerOf } from '../../compute/reduce/finish.js';
import type { WindowReduction } from '../../compute/rolling/rolling.js';
import { countOf, positionAt } from '../../format/selection/selection.js';
import type {
  LazySlice,
  SliceBlock,
  SliceFoldOptions,
  SliceReadOptions,
  SliceStreamOptions,
} from '../lazy-slice.js';
import { MAX_ALIGNED_BYTES, splitSlice } from '../split-slice.js';
import { OneState } from '../one-state.js';
import { createStreamSession, streamSlice } from '../stream-slice.js';
import { createPause } from '../../core/turns.js';
import { alongAxis, type AxisView } from '../axis-view.js';
import { floatsIn, rollTile, type Tile, type TileResult, rollingTiles } from './rolling-tiles.js';

export interface Rolling {
  readonly reduction: WindowReduction;
  readonly window: number;
  readonly after: number;
  readonly minCount: number;
  readonly ddof: number | undefined;
  readonly q: number | undefined;
  /** One for each position along the axis of the source. */
  readonly weights: Float64Array | undefined;
  readonly dtype: DataType;
}

/** The part of the source that windows cover. */
export interface Needed {
  readonly slice: LazySlice;
  /** First position of `slice` along the axis. */
  readonly first: number;
}

export function neededOf(view: AxisView, rolling: Rolling): Needed {
  const { first, stop } = covered(view, rolling, 0, countOf(view.chosen));
  return { slice: rowsOf(view, first, stop), first };
}

/** The positions that the windows of some results cover; `stop` is exclusive. */
function covered(
  { source, axis, chosen }: AxisView,
  { window, after }: Rolling,
  from: number,
  to: number,
): { readonly first: number; readonly stop: number } {
  const start = to === from ? 0 : positionAt(chosen, from);
  const first = Math.max(0, start - (window - 1 - after));
  return {
    first,
    stop: to === from ? first : Math.min(defined(source.shape[axis]), start + (to - from) + after),
  };
}

function rowsOf({ source, axis }: AxisView, start: number, stop: number): LazySlice {
  return source.select({ kind: 'dims', dims: alongAxis(axis, { kind: 'slice', start, stop }) });
}

export async function readRolling(
  { shape }: LazySlice,
  { axis, chosen }: AxisView,
  { slice: input, first }: Needed,
  rolling: Rolling,
  options: SliceFoldOptions,
  out: Uint8Array | undefined,
): Promise<Block> {
  const { dtype } = rolling;
  if (!isFixedSize(dtype))
    throw new UnsupportedError(`unsupported data type ${dtype.name} for the result of windows`);
  const bytes = destination(out, sizeOf(shape) * dtype.itemSize);
  const state = new OneState(input, options);
  const limits = withHeldRows(options.limits ?? input.inputs[0]?.array.context.limits ?? defaultLimits);
  const from = countOf(chosen) === 0 ? 0 : positionAt(chosen, 0);
  const windows = { ...rolling, from, to: from + countOf(chosen) };
  // One tile is in memory at a time. The garbage collector would release new memory for each of them late.
  let memory = new Uint8Array(0);
  const readTile = async ({ selection }: Tile): Promise<Block> => {
    const part = input.select(selection);
    const length = sizeOf(part.shape) * (part.dtype.itemSize ?? 0);
    if (part.takesOut && memory.length < length) memory = new Uint8Array(length);
    const out = part.takesOut ? { out: memory.subarray(0, length) } : {};
    const block = await part.read({ ...options, limits, onVersion: state.onVersion, ...out });
    state.assertUnchanged();
    return block;
  };
  const { signal } = options;
  await rollTiles(input, { axis, first, windows, to: { dtype, shape, bytes }, readTile, signal });
  return { dtype, shape, bytes };
}

interface TilesRolling {
  readonly axis: number;
  /** Position, along the axis, of the first element of the input. */
  readonly first: number;
  readonly windows: Rolling & { readonly from: number; readonly to: number };
  readonly to: Extract<Block, { bytes: Uint8Array }>;
  readonly readTile: (tile: Tile) => Promise<Block> | Block;
  readonly signal: AbortSignal | undefined;
}

async function rollTiles(
  input: Pick<LazySlice, 'shape' | 'origin' | 'dims'>,
  { axis, first, windows, to: { dtype, shape, bytes }, readTile, signal }: TilesRolling,
): Promise<void> {
  const result: TileResult = {
    floats: floatsIn(bytes, dtype),
    write: writerOf(dtype, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  };
  const memory = { numbers: new Float64Array(0) };
  const rolling = { axis, first, windows, result, strides: stridesOf(shape), memory };
  const pause = createPause();
  for (const tile of rollingTiles(input, axis)) {
    const block = await readTile(tile);
    for (const _step of rollTile(block, tile, rolling)) {
      await pause();
      throwIfAborted(signal);
    }
  }
}

/** Maximum size in bytes of the rows of a window, which are kept for the next block. */
export const MAX_KEPT_BYTES = 32 * 2 ** 20;

/**
 * Implements `LazySlice.stream`. If blocks follow one another along the axis of the windows, the rows that
 * the next block needs again are kept, so that no value is read twice.
 */
export async function* streamRolling(
  slice: LazySlice,
  view: AxisView,
  rolling: Rolling,
  options: SliceStreamOptions,
): AsyncGenerator<SliceBlock> {
  const { source, axis } = view;
  const [count, itemSize] = [slice.shape[axis] ?? 1, source.dtype.itemSize ?? Infinity];
  const rowSize = sizeOf(slice.shape) / count;
  if (!keepsRows(slice, view, rolling)) {
    yield* streamSlice(slice, options);
    return;
  }
  const {
    signal,
    limits = source.inputs[0]?.array.context.limits ?? defaultLimits,
    keepChunks = false,
  } = options;
  const { range = { from: 0, to: sizeOf(slice.shape) }, session = createStreamSession() } = options;
  const state = new OneState(slice, { ...options, session });
  const reading = { signal, limits: withHeldRows(limits), onVersion: state.onVersion, keepChunks };
  const rows = createRows(view, rowSize * itemSize);
  for (const { slice: part, from, to } of splitSlice(slice, range, limits)) {
    const isWhole = from % rowSize === 0 && to % rowSize === 0;
    if (isWhole) await rows.moveTo(covered(view, rolling, from / rowSize, to / rowSize), reading);
    const out = session.outFor(part);
    const block = isWhole
      ? await rollHeld(view, rolling, part, { held: rows.held(), start: from / rowSize, ...out, signal })
      : await part.read({ ...reading, limits, ...out });
    state.assertUnchanged();
    yield { block, from, to };
  }
}

/** Whether blocks follow one another along the axis of the windows, and the rows of a window fit into memory. */
export function keepsRows(
  { shape }: Pick<LazySlice, 'shape'>,
  { source, axis, chosen }: AxisView,
  { window }: Rolling,
): boolean {
  const rowBytes = (sizeOf(shape) / (shape[axis] ?? 1)) * (source.dtype.itemSize ?? Infinity);
  const isOuter = !chosen.dropped && shape.findIndex((length) => length > 1) === axis;
  return isOuter && window * rowBytes <= MAX_KEPT_BYTES;
}

/**
 * Raises `maxOutputBytes` for reads of the rows that windows cover. These rows are not output: they count as
 * `intermediateBytes`.
 */
function withHeldRows(limits: Limits): Limits {
  return { ...limits, maxOutputBytes: Math.max(limits.maxOutputBytes, MAX_KEPT_BYTES + MAX_ALIGNED_BYTES) };
}

interface Run {
  readonly first: number;
  readonly stop: number;
}

interface HeldRows extends Run {
  readonly bytes: Uint8Array;
}

/** Keeps consecutive rows of the source in memory. */
function createRows(
  view: AxisView,
  rowBytes: number,
): { moveTo(run: Run, reading: SliceReadOptions): Promise<void>; held(): HeldRows } {
  let held: HeldRows = { first: 0, stop: 0, bytes: new Uint8Array(0) };
  return {
    held: () => held,
    /**
     * Reads the rows that are not in memory.
     * @param run rows that begin and end after those of earlier calls
     */
    async moveTo({ first, stop }, reading) {
      const kept = Math.max(0, held.stop - first) * rowBytes;
      const length = (stop - first) * rowBytes;
      const end = (held.stop - held.first) * rowBytes;
      let { bytes } = held;
      if (bytes.length >= length) bytes.copyWithin(0, end - kept, end);
      else {
        bytes = new Uint8Array(length);
        bytes.set(held.bytes.subarray(end - kept, end));
      }
      const added = rowsOf(view, first + kept / rowBytes, stop);
      const out = bytes.subarray(kept, length);
      const block = await added.read({ ...reading, ...(added.takesOut ? { out } : {}) });
      if (!added.takesOut && 'bytes' in block) out.set(block.bytes);
      held = { first, stop, bytes };
    },
  };
}

interface HeldRolling {
  readonly held: HeldRows;
  /** Index of the first result. */
  readonly start: number;
  readonly out?: Uint8Array;
  readonly signal: AbortSignal | undefined;
}

async function rollHeld(
  { source: { origin, dims, dtype: source }, axis, chosen }: AxisView,
  rolling: Rolling,
  part: LazySlice,
  { held: { first, stop, bytes: held }, start, out, signal }: HeldRolling,
): Promise<Block> {
  const { dtype } = rolling;
  if (!isFixedSize(dtype) || !isFixedSize(source)) throw new TypeError('the windows do not contain numbers');
  const { shape } = part;
  const bytes = destination(out, sizeOf(shape) * dtype.itemSize);
  const lengths = shape.with(axis, stop - first);
  const strides = stridesOf(lengths, source.itemSize);
  const from = positionAt(chosen, start);
  const windows = { ...rolling, from, to: from + defined(shape[axis]) };
  const to = { dtype, shape, bytes };
  let memory = new Uint8Array(0);
  const takeTile = ({ start: at, shape: extents }: Tile): Block => {
    const length = sizeOf(extents) * source.itemSize;
    if (memory.length < length) memory = new Uint8Array(length);
    const values = memory.subarray(0, length);
    const own = stridesOf(extents, source.itemSize);
    const offset = at.reduce((sum, index, d) => sum + index * defined(strides[d]), 0);
    const box = extents.map((length, d) => ({
      count: length,
      from: defined(strides[d]),
      to: defined(own[d]),
    }));
    copyStrided(held, offset, values, 0, box, source.itemSize);
    return { dtype: source, shape: extents, bytes: values };
  };
  await rollTiles({ shape: lengths, origin, dims }, { axis, first, windows, to, readTile: takeTile, signal });
  return to;
}
