/**
 * Reductions of neighbouring results by SIMD, such as variances and extremes over time and sums of float32; see
 * moments.c and extremes.c in core/wasm/build/glue. The state of some columns stays in registers. Chunks that are decoded in
 * the same memory need not be copied. Booleans and integers of at most 16 bits are added and compared as float32, which
 * represents them.
 */
import { assertLength } from '../../core/bytes/bounds.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import type { Values } from '../../core/bytes/values.js';
import { hasWasm } from '../../core/wasm/load.js';
import { codecs } from '../../core/wasm/module.js';
import { storedNumbers } from '../../core/dtype/number-access.js';
import type { ElementRegion } from '../../format/plan/region.js';
import { positionOf, type TaskAxis } from '../axis-map.js';
import type { Kernel } from '../kernel.js';
import type { PieceForm } from '../piece.js';
import { MAX_PLAIN } from './sum.js';
import { runLength } from '../../format/plan/parts.js';
import { arrayOf, type ReduceState } from '../state.js';

/** Sizes of the static memory in columns.h, and the number of columns of one step. */
const COLUMNS = 2048;
const VALUE_BYTES = 256 * 1024;
const STEP = 4;

/** Minimum number of columns. Shorter rows are faster in the loops of moments.ts and sum.ts. */
const MIN_COLUMNS = 16;
/** Maximum number of elements between two yields. */
const MAX_TILE_ELEMENTS = 2 ** 22;

/** Maximum number of groups times blocks of a plan. */
const MAX_OFFSETS = 2 ** 16;

type ColumnReducer = NonNullable<Kernel['columns']>;

interface Dim {
  readonly count: number;
  /** Strides in bytes, and in slots: 0 for a reduced dimension. */
  readonly from: number;
  readonly slot: number;
}

interface ColumnPlan {
  readonly kind: ColumnReducer;
  readonly bytes: Uint8Array;
  readonly itemSize: number;
  /** Copies elements as float32; undefined if they are floats. */
  readonly convert: ((bytes: Uint8Array, floats: Float32Array) => void) | undefined;
  /** Number of adjacent slots with adjacent elements. */
  readonly columns: number;
  /** The last reduced dimension. */
  readonly rows: Dim;
  /** Byte offsets of a slot's elements along the other reduced dimensions, in C order. */
  readonly blocks: readonly number[];
  /** Number of slots of the state. */
  readonly slots: number;
  /** The positions of a slot's elements in C order, if the state has positions. */
  readonly positions: Float64Array | undefined;
  /** Byte offset and first slot of each group of columns. */
  readonly groups: readonly (readonly [from: number, slot: number])[];
}

/**
 * @returns undefined if this path does not apply, because of the data type, layout or size, a transform or
 * cells, or a missing WebAssembly module; otherwise a function that computes the state of a task from all
 * elements. Its generator returns the number of missing elements of each slot, or undefined if no element is
 * missing
 */
export function addColumnsOf(
  kind: ColumnReducer,
  values: Values,
  region: ElementRegion,
  axes: readonly TaskAxis[],
  form: PieceForm,
): ((state: ReduceState) => Generator<void, Float64Array | undefined>) | undefined {
  const plan = 'bytes' in values ? planOf(kind, values.bytes, region, axes, form) : undefined;
  return plan === undefined ? undefined : (state) => addColumns(plan, state);
}

function planOf(
  kind: ColumnReducer,
  bytes: Uint8Array,
  region: ElementRegion,
  axes: readonly TaskAxis[],
  { dtype, transform, cells }: PieceForm,
): ColumnPlan | undefined {
  const { itemSize } = dtype;
  const convert =
    (kind === 'sum' || typeof kind !== 'string') && isSmallName(dtype.name)
      ? conversions[dtype.name]
      : undefined;
  const isFloat =
    kind === 'pairs'
      ? dtype.name === 'complex128'
      : dtype.name === 'float32' || (dtype.name === 'float64' && kind !== 'sum');
  if (
    itemSize === null ||
    (!isFloat && convert === undefined) ||
    transform !== undefined ||
    cells !== undefined ||
    !hasWasm('codecs')
  )
    return undefined;
  const dims = dimsOf(region, axes);
  const inner = dims?.pop();
  if (dims === undefined || inner?.slot !== 1 || inner.from !== itemSize) return undefined;
  let columns = inner.count;
  // Merges adjacent rows of adjacent slots into one row.
  for (let dim = dims.at(-1); dim?.slot === columns && dim.from === columns * itemSize; dim = dims.at(-1)) {
    columns *= dim.count;
    dims.pop();
  }
  const reduced = dims.filter(({ slot }) => slot === 0);
  const rows = reduced.pop() ?? { count: 1, from: 0, slot: 0 };
  const perColumn = rows.count * sizeOf(reduced.map(({ count }) => count));
  if (columns < MIN_COLUMNS || perColumn * Math.min(columns, COLUMNS) > MAX_TILE_ELEMENTS) return undefined;
  if (kind === 'sum' && perColumn > MAX_PLAIN) return undefined;
  const positions =
    typeof kind === 'string' || kind.positions === undefined ? undefined : positionsOf(axes, perColumn);
  // Of equal values, the first one of a column counts.
  if (positions?.some((position, i) => i > 0 && position <= positions[i - 1]) === true) return undefined;
  if (sizeOf(dims.map(({ count }) => count)) > MAX_OFFSETS * rows.count) return undefined;
  const groups = offsetsOf(dims.filter(({ slot }) => slot !== 0)).map(
    ({ from, slot }) => [region.from + from, slot] as const,
  );
  return {
    kind,
    bytes,
    itemSize,
    convert,
    columns,
    rows,
    blocks: offsetsOf(reduced).map(({ from }) => from),
    groups,
    slots: sizeOf(axes.map((axis) => axis.slots)),
    positions,
  };
}

function positionsOf(axes: readonly TaskAxis[], count: number): Float64Array {
  let positions = new Float64Array(1);
  for (const { run, slotOf, positionStride } of axes) {
    if (slotOf !== 'one') continue;
    const length = runLength(run);
    const next = new Float64Array(positions.length * length);
    let at = 0;
    for (const position of positions)
      for (let i = 0; i < length; i++) next[at++] = position + positionOf(run, i) * positionStride;
    positions = next;
  }
  assertLength(positions, count, 'the list of positions');
  return positions;
}

const conversions = {
  bool: (bytes, floats) => floats.set(bytes),
  int8: (bytes, floats) => floats.set(storedNumbers('int8', bytes, floats.length)),
  uint8: (bytes, floats) => floats.set(bytes),
  int16: (bytes, floats) => floats.set(storedNumbers('int16', alignedShorts(bytes), floats.length)),
  uint16: (bytes, floats) => floats.set(storedNumbers('uint16', alignedShorts(bytes), floats.length)),
} as const satisfies Record<string, (bytes: Uint8Array, floats: Float32Array) => void>;

function alignedShorts(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes);
}

function isSmallName(name: string): name is keyof typeof conversions {
  return Object.hasOwn(conversions, name);
}

/** The dimensions of a region; undefined if it is empty, or if elements or slots are in lists or blocks. */
function dimsOf({ dims }: ElementRegion, axes: readonly TaskAxis[]): Dim[] | undefined {
  const strides = stridesOf(axes.map(({ slots }) => slots));
  const all: Dim[] = [];
  for (const [d, { slotOf }] of axes.entries()) {
    const dim = dims[d];
    if (dim === undefined || dim.fromAt !== undefined || dim.count === 0) return undefined;
    if (slotOf !== 'own' && slotOf !== 'one') return undefined;
    const { count, from } = dim;
    if (count > 1) all.push({ count, from, slot: slotOf === 'own' ? strides[d] : 0 });
  }
  return all;
}

/** The offsets of all indices in C order. */
function offsetsOf(dims: readonly Dim[]): { readonly from: number; readonly slot: number }[] {
  return dims.reduce(
    (offsets, dim) =>
      offsets.flatMap(({ from, slot }) =>
        Array.from({ length: dim.count }, (_, i) => ({
          from: from + i * dim.from,
          slot: slot + i * dim.slot,
        })),
      ),
    [{ from: 0, slot: 0 }],
  );
}

/** The numbers, in the memory of the module, of the arrays of a state. */
const numbersOf = { moments: [0, 1, 2], sum: [1], count: [] } as const;

function* addColumns(plan: ColumnPlan, state: ReduceState): Generator<void, Float64Array | undefined> {
  let missing: Float64Array | undefined;
  const width = plan.kind === 'pairs' ? 2 : 1;
  const columns = COLUMNS / width;
  for (const [from, slot] of plan.groups)
    for (let first = 0; first < plan.columns; first += columns) {
      const count = Math.min(columns, plan.columns - first);
      codecs.borrow((functions, memory) => {
        const address = functions.moments_memory();
        addTile(plan, from + first * plan.itemSize, count, functions, memory, address);
        const listOf = (k: number): Float64Array =>
          new Float64Array(memory, address + 8 * k * COLUMNS, count * width);
        takeLists(plan, state, listOf, slot + first);
        const lacking = width === 1 ? listOf(3) : everyOther(listOf(3), 1);
        if (hasPositive(lacking)) (missing ??= new Float64Array(plan.slots)).set(lacking, slot + first);
      });
      yield;
    }
  return missing;
}

/** Copies lists to the arrays of the state. @param slot slot of the first element of the lists */
function takeLists(
  { kind, positions }: ColumnPlan,
  state: ReduceState,
  listOf: (k: number) => Float64Array,
  slot: number,
): void {
  if (kind === 'pairs') {
    // Each list has a number of x and one of y; the last one has products.
    for (let k = 0; k < PAIR_ARRAYS; k++) arrayOf(state, k).set(everyOther(listOf(k >> 1), k % 2), slot);
    return;
  }
  if (typeof kind === 'string') {
    numbersOf[kind].forEach((number, k) => arrayOf(state, k).set(listOf(number), slot));
    return;
  }
  // Slots without values keep their initial state.
  const [values, found, lacking] = [listOf(0), listOf(1), listOf(2)];
  const isPlaced = positions !== undefined;
  const value = arrayOf(state, isPlaced ? 1 : 0);
  for (let i = 0; i < values.length; i++) if (found[i] >= 0) value[slot + i] = values[i];
  if (!isPlaced) return;
  const [missing, position] = [arrayOf(state, 0), arrayOf(state, 2)];
  for (let i = 0; i < values.length; i++) {
    if (found[i] >= 0) position[slot + i] = positions[found[i]];
    if (lacking[i] >= 0 && kind.positions?.skipMissing === false) missing[slot + i] = positions[lacking[i]];
  }
}

/** Number of arrays of a state of pairs; see pair-moments.ts. */
const PAIR_ARRAYS = 7;

function everyOther(numbers: Float64Array, first: number): Float64Array {
  const some = new Float64Array(numbers.length / 2);
  for (let i = 0; i < some.length; i++) some[i] = numbers[2 * i + first];
  return some;
}

/** A loop is several times as fast as `some`. */
function hasPositive(numbers: Float64Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i] > 0) return true;
  return false;
}

type Borrowed = Parameters<Parameters<typeof codecs.borrow>[0]>[0];

function addTile(
  { kind, bytes, itemSize, convert, rows, blocks }: ColumnPlan,
  start: number,
  count: number,
  functions: Borrowed,
  memory: ArrayBuffer,
  address: number,
): void {
  const columns = Math.ceil(count / STEP) * STEP;
  const add = beginColumns(kind, columns, itemSize === 8, functions);
  if (convert === undefined && bytes.buffer === memory && columns === count) {
    blocks.forEach((block, k) =>
      add(bytes.byteOffset + start + block, rows.count, rows.from, k * rows.count),
    );
    return;
  }
  const copy = address + 4 * 8 * COLUMNS;
  const stride = columns * (convert === undefined ? itemSize : Float32Array.BYTES_PER_ELEMENT);
  const into = new Uint8Array(memory, copy, VALUE_BYTES);
  const copied = Math.floor(VALUE_BYTES / stride);
  for (const [k, block] of blocks.entries())
    for (let row = 0; row < rows.count; row += copied) {
      const part = Math.min(copied, rows.count - row);
      for (let r = 0; r < part; r++) {
        const at = start + block + (row + r) * rows.from;
        const elements = bytes.subarray(at, at + count * itemSize);
        if (convert === undefined) into.set(elements, r * stride);
        else convert(elements, new Float32Array(memory, copy + r * stride, count));
      }
      add(copy, part, stride, k * rows.count + row);
    }
}

/** Adds rows of elements to the lists. @param first index of the first row in its column */
type AddRows = (address: number, rows: number, stride: number, first: number) => void;

function beginColumns(kind: ColumnReducer, columns: number, isDouble: boolean, functions: Borrowed): AddRows {
  if (kind === 'pairs') {
    const { moments_begin, pairs_float64 } = functions;
    moments_begin(2 * columns);
    return (address, rows, stride) => pairs_float64(address, rows, columns, stride);
  }
  if (typeof kind === 'string') {
    const { moments_begin, moments_float32, moments_float64, sums_float32 } = functions;
    moments_begin(columns);
    const ofFloats = kind === 'moments' ? moments_float32 : sums_float32;
    const add = isDouble ? moments_float64 : ofFloats;
    return (address, rows, stride) => add(address, rows, columns, stride);
  }
  const { extremes_begin, extremes_float32, extremes_float64 } = functions;
  extremes_begin(columns);
  const add = isDouble ? extremes_float64 : extremes_float32;
  const largest = Number(kind.isLargest);
  return (address, rows, stride, first) => add(address, rows, columns, stride, first, largest);
}
