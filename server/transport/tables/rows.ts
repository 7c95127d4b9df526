/**
 * The rows of a table, with a column for each coordinate and variable: one row per element of the variables, in C order,
 * or per position along their first dimensions. Coordinates are read first; variables are streamed in batches of rows.
 */
import { defined } from '../../../wire/guards.js';
import type { LabelledSet, LabelledVariable } from '../labelled-set.js';
import type { ReadParts } from '../forms/form.js';
import type { SetOptions } from '../sets/set-form.js';
import { blockCopy, readAll } from '../sets/read-values.js';
import { blockPart } from '../block-part.js';
import { type Block, InputError, LimitError, type SliceBlock, sizeOf } from '../../zarr/index.js';

/** Maximum number of elements of a batch. Encoding one takes about 7 ms for Arrow, and 13 ms for Parquet. */
const BATCH_ELEMENTS = 2 ** 15;

/** Maximum size of the tensors of a row, in bytes. A batch has at least one row, and is copied twice. */
const MAX_ROW_BYTES = 16 * 2 ** 20;

/** A coordinate or dimension, whose values repeat. */
export interface LabelColumn {
  readonly name: string;
  readonly variable: LabelledVariable | undefined;
  /** Sizes of its dimensions. Without a variable, the labels are positions along one dimension. */
  readonly shape: readonly number[];
  /** For each of its dimensions, the position of the dimension in the rows. */
  readonly axes: readonly number[];
}

/** A variable, whose values are a column. */
export interface ValueColumn extends LabelledVariable {
  /** Sizes and names of the dimensions of the tensor in each row; empty for a number per row. */
  readonly tensor: readonly { readonly name: string; readonly size: number }[];
  /** Number of elements of a row. */
  readonly perRow: number;
}

export interface TablePlan {
  /** Sizes of the dimensions of the rows. */
  readonly shape: readonly number[];
  readonly labels: readonly LabelColumn[];
  readonly values: readonly ValueColumn[];
  /** Memory of a batch, in addition to that of the elements of `BATCH_ELEMENTS`: bytes of tensors in a row, copied twice. */
  readonly tensorBytes: number;
}

/**
 * @throws InputError if the variables differ in the dimensions of the rows, or if these are not their first ones;
 * LimitError for a row that is too large
 */
export function planTable({ variables, coordinates }: LabelledSet, { rows }: SetOptions): TablePlan {
  const [first] = variables;
  if (first === undefined) throw new InputError('a table needs at least one variable');
  const dimensions = rows ?? first.dimensions;
  for (const variable of variables) assertRows(variable, dimensions, rows === undefined, first.name);
  const shape = first.slice.shape.slice(0, dimensions.length);
  const placed = coordinates.filter((coordinate) =>
    coordinate.dimensions.every((name) => dimensions.includes(name)),
  );
  const axesOf = ({ dimensions: own }: LabelledVariable): number[] =>
    own.map((name) => dimensions.indexOf(name));
  const indexes = dimensions.map((name, axis): LabelColumn => {
    const variable = placed.find((each) => each.name === name && each.dimensions.length === 1);
    return { name, variable, shape: [defined(shape[axis])], axes: [axis] };
  });
  const shown = new Set(indexes.map(({ variable }) => variable));
  const more = placed.flatMap((variable): LabelColumn[] =>
    shown.has(variable) || variable.name === first.name
      ? []
      : [{ name: variable.name, variable, shape: variable.slice.shape, axes: axesOf(variable) }],
  );
  const values = variables.map((variable) => valueColumn(variable, dimensions.length));
  return { shape, labels: [...indexes, ...more], values, tensorBytes: tensorBytesOf(values) };
}

function assertRows(
  { name, dimensions }: LabelledVariable,
  rows: readonly string[],
  areAll: boolean,
  firstName: string,
): void {
  const own = areAll ? dimensions : dimensions.slice(0, rows.length);
  if (own.length === rows.length && own.every((each, d) => each === rows[d])) return;
  throw new InputError(
    areAll
      ? `a table needs variables of the same dimensions; "${firstName}" has (${rows.join(', ')}), but "${name}" (${dimensions.join(', ')}); request the format NETCDF, fewer variables, or rows along common first dimensions`
      : `rows along (${rows.join(', ')}) need variables whose first dimensions these are; "${name}" has (${dimensions.join(', ')})`,
  );
}

function valueColumn(variable: LabelledVariable, rowDimensions: number): ValueColumn {
  const tensor = variable.dimensions
    .slice(rowDimensions)
    .map((name, d) => ({ name, size: defined(variable.slice.shape[rowDimensions + d]) }));
  return { ...variable, tensor, perRow: sizeOf(tensor.map(({ size }) => size)) };
}

/** @throws LimitError; InputError for tensors of text */
function tensorBytesOf(values: readonly ValueColumn[]): number {
  let bytes = 0;
  for (const { name, slice, tensor, perRow } of values) {
    if (tensor.length === 0) continue;
    if (slice.dtype.itemSize === null || slice.dtype.name === 'fixed_length_utf32')
      throw new InputError(`"${name}" has texts, which cannot be tensors; request rows along all dimensions`);
    bytes += perRow * slice.dtype.itemSize;
  }
  if (bytes > MAX_ROW_BYTES)
    throw new LimitError(
      `a row has ${bytes} bytes, but at most ${MAX_ROW_BYTES} are possible; select less, or request rows along more dimensions`,
      { excess: [{ limit: 'maxRowBytes', allowed: MAX_ROW_BYTES, needed: bytes }] },
    );
  return bytes;
}

/** Maximum number of values of a batch in all columns, apart from tensors. */
export function batchCells({ labels, values }: TablePlan): number {
  return BATCH_ELEMENTS * (labels.length + values.length);
}

/** The position in a column's values of each of the rows `from` (inclusive) to `to` (exclusive). */
export function positionsOf(
  { shape, axes }: LabelColumn,
  rows: readonly number[],
  from: number,
  to: number,
): Int32Array {
  const result = new Int32Array(to - from);
  for (const [d, axis] of axes.entries()) {
    const inner = sizeOf(rows.slice(axis + 1));
    const size = defined(rows[axis]);
    const stride = sizeOf(shape.slice(d + 1));
    let [at, left] = [Math.floor(from / inner) % size, inner - (from % inner)];
    for (let i = 0; i < result.length; i++) {
      result[i] = (result[i] ?? 0) + at * stride;
      if (--left > 0) continue;
      left = inner;
      at = at + 1 === size ? 0 : at + 1;
    }
  }
  return result;
}

export interface TableBatch {
  readonly from: number;
  readonly to: number;
  /** The values of each variable as blocks of one dimension, which together have the rows of the batch. */
  readonly values: readonly (readonly Block[])[];
}

/** Reads the labels of all columns with a variable. */
export async function readLabels(
  { labels }: TablePlan,
  readOf: () => ReadParts,
): Promise<ReadonlyMap<LabelColumn, readonly Block[]>> {
  const read = new Map<LabelColumn, readonly Block[]>();
  for (const column of labels)
    if (column.variable !== undefined) read.set(column, await readAll(readOf(), column.variable.slice));
  return read;
}

/** Streams the rows. The blocks of a batch are valid until the next batch is requested. */
export async function* readRows(
  { shape, values }: TablePlan,
  readOf: () => ReadParts,
): AsyncGenerator<TableBatch> {
  const rows = sizeOf(shape);
  const most = Math.max(1, Math.floor(BATCH_ELEMENTS / Math.max(1, ...values.map(({ perRow }) => perRow))));
  const cursors = values.map(({ slice, perRow }) => {
    const parts = readOf()(slice, { from: 0, to: rows * perRow })[Symbol.asyncIterator]();
    return { perRow, cursor: new BlockCursor(parts) };
  });
  try {
    for (let from = 0; from < rows;) {
      let to = Math.min(rows, from + most);
      for (const { perRow, cursor } of cursors) {
        // Rows that end within a block need no copy.
        const whole = Math.floor((await cursor.endAfter(from * perRow)) / Math.max(1, perRow));
        if (whole > from) to = Math.min(to, whole);
      }
      const blocks: (readonly Block[])[] = [];
      for (const { perRow, cursor } of cursors) blocks.push(await cursor.take(from * perRow, to * perRow));
      yield { from, to, values: blocks };
      from = to;
    }
  } finally {
    for (const { cursor } of cursors) await cursor.close();
  }
}

/** Takes consecutive elements from a stream of blocks, each of which is valid until the next one is read. */
class BlockCursor {
  readonly #parts: AsyncIterator<SliceBlock>;
  #part: SliceBlock | undefined;

  constructor(parts: AsyncIterator<SliceBlock>) {
    this.#parts = parts;
  }

  /** Reads on until a block contains the element. @returns the position after the block; 0 after the last one */
  async endAfter(element: number): Promise<number> {
    while (this.#part === undefined || this.#part.to <= element) {
      const next = await this.#parts.next();
      if (next.done === true) return 0;
      this.#part = next.value;
    }
    return this.#part.to;
  }

  /** @returns elements `from` (inclusive) to `to` (exclusive), as blocks of one dimension */
  async take(from: number, to: number): Promise<readonly Block[]> {
    const blocks: Block[] = [];
    for (let at = from; at < to;) {
      const end = Math.min(to, await this.endAfter(at));
      const part = this.#part;
      if (part === undefined || end <= at) throw new TypeError('the stream ended before all rows were read');
      const block = blockPart(part.block, at - part.from, end - part.from);
      blocks.push(end < to ? blockCopy(block) : block);
      at = end;
    }
    return blocks;
  }

  async close(): Promise<void> {
    await this.#parts.return?.();
  }
}
