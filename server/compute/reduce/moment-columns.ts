/**
 * Moments of neighbouring results by SIMD, such as variances over time and sums of float32; see
 * core/wasm/build/glue/moments.c. The state of some columns stays in registers. Chunks that are decoded in the same
 * memory need not be copied. Booleans and integers of at most 16 bits are added as float32, which represents them.
 */
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import type { Values } from '../../core/bytes/values.js';
import { hasWasm } from '../../core/wasm/load.js';
import { codecs } from '../../core/wasm/module.js';
import { storedNumbers } from '../../core/dtype/number-access.js';
import type { ElementRegion } from '../../format/plan/region.js';
import type { TaskAxis } from '../axis-map.js';
import type { Kernel } from '../kernel.js';
import type { PieceForm } from '../piece.js';
import { MAX_PLAIN } from './sum.js';
import { arrayOf, type ReduceState } from '../state.js';

/** Sizes of the static memory in moments.c, and the number of columns of one step. */
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
  const convert = kind === 'sum' && isSmallName(dtype.name) ? conversions[dtype.name] : undefined;
  const isFloat = dtype.name === 'float32' || (dtype.name === 'float64' && kind !== 'sum');
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
  };
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

/** The numbers in moments.c of the arrays of a state. */
const numbersOf = { moments: [0, 1, 2], sum: [1], count: [] } as const satisfies Record<
  ColumnReducer,
  unknown
>;

function* addColumns(plan: ColumnPlan, state: ReduceState): Generator<void, Float64Array | undefined> {
  const results = numbersOf[plan.kind].map((number, k) => [number, arrayOf(state, k)] as const);
  let missing: Float64Array | undefined;
  for (const [from, slot] of plan.groups)
    for (let first = 0; first < plan.columns; first += COLUMNS) {
      const count = Math.min(COLUMNS, plan.columns - first);
      codecs.borrow((functions, memory) => {
        const address = functions.moments_memory();
        addTile(plan, from + first * plan.itemSize, count, functions, memory, address);
        const listOf = (k: number): Float64Array =>
          new Float64Array(memory, address + 8 * k * COLUMNS, count);
        for (const [k, array] of results) array.set(listOf(k), slot + first);
        if (hasPositive(listOf(3))) (missing ??= new Float64Array(plan.slots)).set(listOf(3), slot + first);
      });
      yield;
    }
  return missing;
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
  { moments_begin, moments_float32, moments_float64, sums_float32 }: Borrowed,
  memory: ArrayBuffer,
  address: number,
): void {
  const ofFloats = kind === 'moments' ? moments_float32 : sums_float32;
  const add = itemSize === 8 ? moments_float64 : ofFloats;
  const columns = Math.ceil(count / STEP) * STEP;
  moments_begin(columns);
  if (convert === undefined && bytes.buffer === memory && columns === count) {
    for (const block of blocks) add(bytes.byteOffset + start + block, rows.count, columns, rows.from);
    return;
  }
  const copy = address + 4 * 8 * COLUMNS;
  const stride = columns * (convert === undefined ? itemSize : Float32Array.BYTES_PER_ELEMENT);
  const into = new Uint8Array(memory, copy, VALUE_BYTES);
  const copied = Math.floor(VALUE_BYTES / stride);
  for (const block of blocks)
    for (let row = 0; row < rows.count; row += copied) {
      const part = Math.min(copied, rows.count - row);
      for (let r = 0; r < part; r++) {
        const at = start + block + (row + r) * rows.from;
        const elements = bytes.subarray(at, at + count * itemSize);
        if (convert === undefined) into.set(elements, r * stride);
        else convert(elements, new Float32Array(memory, copy + r * stride, count));
      }
      add(copy, part, columns, stride);
    }
}
