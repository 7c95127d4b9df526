/**
 * Parquet files: a row group per few batches, compressed with Snappy. Missing values are nulls; repeated labels are
 * encoded by dictionaries. The package is loaded when the first table is written.
 */
import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import { defined } from '../../../wire/guards.js';
import { floatFromHalf } from '../../../wire/float16.js';
import { type Block, InputError, type JsonObject, nextTurn, printJson } from '../../zarr/index.js';
import type { ReadParts } from '../forms/form.js';
import type { SetForm } from '../sets/set-form.js';
import type { BodyPiece } from '../time-sliced-body.js';
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
} from './rows.js';

/** Memory of a value of a batch, in bytes: the package has lists of values, levels and indexes (measured: 110). */
const PARQUET_CELL_BYTES = 128;

export const parquetFile = {
  name: 'PARQUET',
  extension: '.parquet',
  mediaType: 'application/vnd.apache.parquet',
  isText: false,
  description: 'a Parquet file with the same columns, compressed with Snappy',
  types: 'the types of ARROW',
  open(set, { rows }) {
    if (rows !== undefined)
      throw new InputError('Parquet has no tensors; request the format ARROW, or a row per element');
    const plan = planTable(set, {});
    for (const { name, slice } of plan.values) columnType(name, slice.dtype);
    for (const { name, variable } of plan.labels)
      if (variable !== undefined) columnType(name, variable.slice.dtype);
    return {
      ownBytes: 2 ** 20 + PARQUET_CELL_BYTES * batchCells(plan),
      pieces: (readOf) => parquetPieces(plan, set.attributes, readOf),
    };
  },
} as const satisfies SetForm;

async function* parquetPieces(
  plan: TablePlan,
  attributes: JsonObject,
  readOf: () => ReadParts,
): AsyncGenerator<BodyPiece> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const labels = await readLabels(plan, readOf);
  const columns = await Promise.all(
    plan.labels.map((column) => labelColumn(plan, column, labels.get(column))),
  );
  const values = plan.values.map(({ name, slice }) => ({ name, type: columnType(name, slice.dtype) }));
  const schema: SchemaElement[] = [
    { name: 'schema', num_children: columns.length + values.length },
    ...columns.map(({ element }) => element),
    ...values.map(({ name, type }) => elementOf(name, type)),
  ];
  const bytes = new ByteWriter();
  const taken = (): Uint8Array => {
    const written = bytes.getBytes().slice();
    bytes.index = 0;
    return written;
  };
  const writer = new ParquetWriter({ writer: bytes, schema, kvMetadata: metadataOf(plan, attributes) });
  for await (const { from, to, values: blocks } of readRows(plan, readOf)) {
    // Indexes of pages would repeat the positions of the row groups, which have one page per column.
    const columnData: ColumnSource[] = [
      ...columns.map(({ name, rows }) => ({ name, data: rows(from, to), offsetIndex: false })),
      ...values.map(({ name, type }, i) => ({
        name,
        data: listOf(type, columnValues(type, defined(blocks[i]))),
        offsetIndex: false,
      })),
    ];
    await writer.write({ columnData, rowGroupSize: to - from });
    yield taken();
    await nextTurn();
  }
  await writer.finish();
  yield taken();
}

interface PlacedColumn {
  readonly name: string;
  readonly element: SchemaElement;
  readonly rows: (from: number, to: number) => ColumnSource['data'];
}

async function labelColumn(
  plan: TablePlan,
  column: LabelColumn,
  blocks: readonly Block[] | undefined,
): Promise<PlacedColumn> {
  const { name, variable } = column;
  if (variable === undefined || blocks === undefined)
    return {
      name,
      element: { name, type: 'INT32', repetition_type: 'REQUIRED' },
      rows: (from, to) => positionsOf(column, plan.shape, from, to),
    };
  const type = columnType(name, variable.slice.dtype);
  const own = listOf(type, await labelValues(type, blocks));
  return {
    name,
    element: elementOf(name, type),
    rows: (from, to) => valuesAt(own, positionsOf(column, plan.shape, from, to)),
  };
}

function valuesAt(values: ColumnSource['data'], positions: Int32Array): ColumnSource['data'] {
  if (!isNumbers(values)) return Array.from(positions, (at): unknown => values[at]);
  const taken = new Float64Array(positions.length);
  for (const [i, at] of positions.entries()) taken[i] = defined(values[at]);
  return taken;
}

/** By the older annotation: the package writes the newer one in a form that other readers reject (hyparquet-writer 0.17). */
const integers = {
  int8: { type: 'INT32', converted_type: 'INT_8' },
  int16: { type: 'INT32', converted_type: 'INT_16' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  uint8: { type: 'INT32', converted_type: 'UINT_8' },
  uint16: { type: 'INT32', converted_type: 'UINT_16' },
  uint32: { type: 'INT32', converted_type: 'UINT_32' },
  uint64: { type: 'INT64', converted_type: 'UINT_64' },
} as const;

/** The nearest finer unit that Parquet has; durations are plain counts of their unit. */
const timeUnits = { s: 'MILLIS', ms: 'MILLIS', us: 'MICROS', ns: 'NANOS' } as const;

function elementOf(name: string, type: ColumnType): SchemaElement {
  const own = { name, repetition_type: 'OPTIONAL' } as const;
  switch (type.kind) {
    case 'bool':
      return { ...own, type: 'BOOLEAN' };
    case 'text':
      return { ...own, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
    case 'float':
      return { ...own, type: type.name === 'float64' ? 'DOUBLE' : 'FLOAT' };
    case 'duration':
      return { ...own, type: 'INT64' };
    case 'timestamp':
      return {
        ...own,
        type: 'INT64',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: timeUnits[type.unit] },
      };
    case 'integer':
      return { ...own, ...integers[type.name] };
  }
}

/** Numbers without a missing one as they are, because a list has an object for each. */
function listOf(type: ColumnType, values: ColumnValues): ColumnSource['data'] {
  const { data, present } = values;
  if (present === undefined && isPlainNumber(type) && isNumbers(data)) return data;
  const cellAt = cellsOf(type, values);
  return Array.from({ length: values.rows }, (_, row) => cellAt(row));
}

type Numbers = Int32Array | Float32Array | Float64Array;

function isNumbers(values: ColumnSource['data'] | ColumnValues['data']): values is Numbers {
  return values instanceof Float32Array || values instanceof Float64Array || values instanceof Int32Array;
}

function isPlainNumber(type: ColumnType): boolean {
  return type.kind === 'integer' || (type.kind === 'float' && type.name !== 'float16');
}

/** The value of each row: null for missing ones; halves as float32, and seconds as milliseconds. */
function cellsOf(type: ColumnType, { data, offsets, present }: ColumnValues): (row: number) => unknown {
  const valueAt = readerOf(type, { data, offsets });
  return (row) => (present?.[row] === 0 ? null : valueAt(row));
}

function readerOf(
  type: ColumnType,
  { data, offsets }: Pick<ColumnValues, 'data' | 'offsets'>,
): (i: number) => unknown {
  if (type.kind === 'bool') return (i) => data[i] === 1;
  if (type.kind === 'text') {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return (i) => bytes.toString('utf8', offsets?.[i], offsets?.[i + 1]);
  }
  if (type.kind === 'timestamp' && type.unit === 's') return (i) => BigInt(data[i] ?? 0) * 1000n;
  if (type.kind === 'float' && type.name === 'float16') return (i) => floatFromHalf(Number(data[i]));
  return (i) => data[i];
}

/** Attributes of the set, and of each column as `NAME.ATTRIBUTE`: texts as they are, other values as JSON. */
function metadataOf({ labels, values }: TablePlan, attributes: JsonObject): { key: string; value: string }[] {
  const entries = (prefix: string, own: JsonObject): { key: string; value: string }[] =>
    Object.entries(own).map(([name, value]) => ({
      key: `${prefix}${name}`,
      value: typeof value === 'string' ? value : printJson(value),
    }));
  return [
    ...entries('', attributes),
    ...labels.flatMap(({ name, variable }) => entries(`${name}.`, variable?.attributes ?? {})),
    ...values.flatMap((variable) => entries(`${variable.name}.`, variable.attributes)),
  ];
}
