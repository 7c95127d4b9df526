/**
 * Arrow: the IPC stream format. Coordinates whose labels repeat are dictionaries, which are sent once. Missing values are
 * nulls. The package is loaded when the first table is written.
 */
import type * as ArrowPackage from 'apache-arrow';
import type { DataType as ArrowType, Data, Field, RecordBatch, Schema } from 'apache-arrow';
import { defined } from '../../../wire/guards.js';
import { type Block, type JsonObject, printJson } from '../../zarr/index.js';
import type { BodyPiece } from '../time-sliced-body.js';
import type { SetForm } from '../sets/set-form.js';
import type { ReadParts } from '../forms/form.js';
import { type ColumnType, columnType } from './column-type.js';
import { type ColumnValues, columnValues, labelValues } from './column-values.js';
import {
  batchCells,
  type LabelColumn,
  planTable,
  positionsOf,
  readLabels,
  readRows,
  type TablePlan,
  type ValueColumn,
} from './rows.js';

type Arrow = typeof ArrowPackage;

/** Memory of a value of a batch, in bytes: itself, its place in the written bytes, and in those that are not sent yet. */
const ARROW_CELL_BYTES = 24;

export const arrowFile = {
  name: 'ARROW',
  extension: '.arrows',
  mediaType: 'application/vnd.apache.arrow.stream',
  isText: false,
  description:
    'a stream of Arrow record batches: one row per element, or a tensor per row (`rows`), with columns for coordinates and variables; missing values are nulls',
  types: 'numbers except complex ones, booleans, dates, durations and text',
  open(set, options) {
    const plan = planTable(set, options);
    const types = new Map(plan.values.map(({ name, slice }) => [name, columnType(name, slice.dtype)]));
    for (const { name, variable } of plan.labels)
      if (variable !== undefined) columnType(name, variable.slice.dtype);
    return {
      ownBytes: 2 ** 20 + ARROW_CELL_BYTES * batchCells(plan) + 3 * plan.tensorBytes,
      pieces: (readOf) => arrowPieces(plan, types, set.attributes, readOf),
    };
  },
} as const satisfies SetForm;

async function* arrowPieces(
  plan: TablePlan,
  types: ReadonlyMap<string, ColumnType>,
  attributes: JsonObject,
  readOf: () => ReadParts,
): AsyncGenerator<BodyPiece> {
  const arrow = await import('apache-arrow');
  const labels = await readLabels(plan, readOf);
  const columns = await Promise.all(
    plan.labels.map((column, id) => labelColumn(arrow, plan, column, labels.get(column), id)),
  );
  const values = plan.values.map((column) => valuesColumn(arrow, column, defined(types.get(column.name))));
  const fields = [...columns.map(({ field }) => field), ...values.map(({ field }) => field)];
  const schema = new arrow.Schema(fields, metadataOf(attributes));
  const writer = createWriter(arrow, schema);
  for await (const { from, to, values: blocks } of readRows(plan, readOf)) {
    const children = [
      ...columns.map(({ rows }) => rows(from, to)),
      ...values.map(({ rows }, i) => rows(defined(blocks[i]), to - from)),
    ];
    yield* writer.write(batchOf(arrow, schema, children, to - from));
  }
  yield* writer.end();
}

function batchOf(arrow: Arrow, schema: Schema, children: readonly Data[], rows: number): RecordBatch {
  const type = new arrow.Struct([...schema.fields]);
  return new arrow.RecordBatch(
    schema,
    arrow.makeData({ type, length: rows, nullCount: 0, children: [...children] }),
  );
}

/** A writer that returns what it has written, so that at most one batch is in memory. */
function createWriter(arrow: Arrow, schema: Schema) {
  let pieces: Uint8Array[] = [];
  class Writer extends arrow.RecordBatchStreamWriter {
    protected override _write(chunk: ArrayBufferView | ArrayBuffer | Uint8Array): this {
      const bytes = ArrayBuffer.isView(chunk)
        ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : new Uint8Array(chunk);
      if (bytes.length > 0) pieces.push(bytes);
      this._position += bytes.length;
      return this;
    }
  }
  const writer = new Writer();
  let hasRows = false;
  const taken = (): Uint8Array[] => {
    const written = pieces;
    pieces = [];
    // Hundreds of small parts per batch would each be sent alone.
    return written.length === 0 ? [] : [Buffer.concat(written)];
  };
  return {
    write(batch: RecordBatch): Uint8Array[] {
      writer.write(batch);
      hasRows = true;
      return taken();
    },
    /** Writes the schema also of a table without rows. */
    end(): Uint8Array[] {
      if (!hasRows) writer.reset(undefined, schema);
      writer.finish();
      return taken();
    },
  };
}

interface PlacedColumn {
  readonly field: Field;
  readonly rows: (from: number, to: number) => Data;
}

/**
 * A column of numbers, or of tensors: `arrow.fixed_shape_tensor` of the canonical extension types
 * (arrow.apache.org/docs/format/CanonicalExtensions.html). Tensors keep NaN, because few readers accept nulls in them.
 */
function valuesColumn(
  arrow: Arrow,
  { name, attributes, tensor, perRow }: ValueColumn,
  type: ColumnType,
): { readonly field: Field; readonly rows: (blocks: readonly Block[], count: number) => Data } {
  const metadata = metadataOf(attributes);
  const element = arrowType(arrow, type);
  if (tensor.length === 0)
    return {
      field: new arrow.Field(name, element, true, metadata),
      rows: (blocks) => dataOfColumn(arrow, type, columnValues(type, blocks)),
    };
  metadata.set('ARROW:extension:name', 'arrow.fixed_shape_tensor');
  metadata.set(
    'ARROW:extension:metadata',
    JSON.stringify({ shape: tensor.map(({ size }) => size), dim_names: tensor.map(({ name: own }) => own) }),
  );
  const list = new arrow.FixedSizeList(perRow, new arrow.Field('item', element, true));
  return {
    field: new arrow.Field(name, list, true, metadata),
    rows(blocks, count) {
      const values = columnValues(type, blocks);
      const kept = type.kind === 'float' ? { ...values, present: undefined } : values;
      return new arrow.Data(list, 0, count, 0, {}, [dataOfColumn(arrow, type, kept)]);
    },
  };
}

async function labelColumn(
  arrow: Arrow,
  plan: TablePlan,
  column: LabelColumn,
  blocks: readonly Block[] | undefined,
  id: number,
): Promise<PlacedColumn> {
  const { name, variable } = column;
  if (variable === undefined || blocks === undefined) {
    const field = new arrow.Field(name, new arrow.Int32(), false);
    const rows = (from: number, to: number): Data =>
      arrow.makeData({ type: new arrow.Int32(), data: positionsOf(column, plan.shape, from, to) });
    return { field, rows };
  }
  const type = columnType(name, variable.slice.dtype);
  const labels = await labelValues(type, blocks);
  const dictionary = arrow.makeVector(dataOfColumn(arrow, type, labels));
  const dictionaryType = new arrow.Dictionary(arrowType(arrow, type), new arrow.Int32(), id);
  const field = new arrow.Field(name, dictionaryType, true, metadataOf(variable.attributes));
  return {
    field,
    rows(from, to) {
      const data = positionsOf(column, plan.shape, from, to);
      return arrow.makeData({
        type: dictionaryType,
        length: to - from,
        data,
        dictionary,
        ...missingLabels(labels, data),
      });
    },
  };
}

/** Rows with a missing label are null themselves: many readers ignore nulls within a dictionary. */
function missingLabels(
  { present }: ColumnValues,
  positions: Int32Array,
): { nullCount?: number; nullBitmap?: Uint8Array } {
  if (present === undefined) return {};
  return bitmapOf(Uint8Array.from(positions, (at) => present[at] ?? 0));
}

function bitmapOf(present: Uint8Array): { readonly nullCount: number; readonly nullBitmap: Uint8Array } {
  const nullBitmap = new Uint8Array(Math.ceil(present.length / 64) * 8);
  let nullCount = 0;
  for (let i = 0; i < present.length; i++)
    if (present[i] === 1) nullBitmap[i >> 3] = (nullBitmap[i >> 3] ?? 0) | (1 << (i & 7));
    else nullCount += 1;
  return { nullCount, nullBitmap };
}

function arrowType(arrow: Arrow, type: ColumnType): ArrowType {
  switch (type.kind) {
    case 'bool':
      return new arrow.Bool();
    case 'text':
      return new arrow.Utf8();
    case 'timestamp':
      return new arrow.Timestamp(timeUnit(arrow, type.unit));
    case 'duration':
      return new arrow.Duration(timeUnit(arrow, type.unit));
    default:
      return new (numberTypes(arrow)[type.name])();
  }
}

function numberTypes(arrow: Arrow) {
  const { Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float16, Float32, Float64 } = arrow;
  return {
    ...{ int8: Int8, int16: Int16, int32: Int32, int64: Int64 },
    ...{ uint8: Uint8, uint16: Uint16, uint32: Uint32, uint64: Uint64 },
    ...{ float16: Float16, float32: Float32, float64: Float64 },
  };
}

function timeUnit({ TimeUnit }: Arrow, unit: 's' | 'ms' | 'us' | 'ns') {
  return { s: TimeUnit.SECOND, ms: TimeUnit.MILLISECOND, us: TimeUnit.MICROSECOND, ns: TimeUnit.NANOSECOND }[
    unit
  ];
}

function dataOfColumn(arrow: Arrow, type: ColumnType, { rows, data, offsets, present }: ColumnValues): Data {
  const { nullCount = 0, nullBitmap } = present === undefined ? {} : bitmapOf(present);
  const values = type.kind === 'bool' ? bitmapOf(Uint8Array.from(data, Number)).nullBitmap : data;
  const buffers = {
    [arrow.BufferType.DATA]: values,
    ...(offsets === undefined ? {} : { [arrow.BufferType.OFFSET]: offsets }),
    ...(nullBitmap === undefined ? {} : { [arrow.BufferType.VALIDITY]: nullBitmap }),
  };
  return new arrow.Data(arrowType(arrow, type), 0, rows, nullCount, buffers);
}

/** Attributes as text, because Arrow has no others: texts as they are, other values as JSON. */
function metadataOf(attributes: JsonObject): Map<string, string> {
  return new Map(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : printJson(value),
    ]),
  );
}
