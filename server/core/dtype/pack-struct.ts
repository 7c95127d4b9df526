/**
 * Packs values of structs field by field: from columns (an object of arrays) or records (lists of objects).
 */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../bytes/shape.js';
import { broadcastShapes, broadcastStrides } from '../bytes/broadcast.js';
import { copyStrided } from '../bytes/strided-copy.js';
import { InputError } from '../errors.js';
import { isFixedSize, type Block, type DataType, type StructField, type StructType } from './data-type.js';
import { isArrayLike } from './nested-values.js';
import { invalidValue, type PositionText } from './pack-numbers.js';

/** Packs the values of a field. Injected, because fields may be structs. */
export type PackBlock = (values: unknown, dtype: DataType, rank: number) => Block;

/**
 * @param columns values by field name, in the struct's shape, followed by the dimensions of a sub-array
 *   field; their shapes are broadcast together
 * @throws InputError for a missing or unknown field, or invalid values
 */
export function packStructOfArrays(
  columns: Readonly<Record<string, unknown>>,
  dtype: StructType,
  rank: number,
  pack: PackBlock,
): Block {
  checkNames(columns, dtype, 'the value');
  const blocks = dtype.fields.map((field) => {
    const block = packField(columns[field.name], field, rank, pack);
    const outer = block.shape.slice(0, block.shape.length - field.shape.length);
    const inner = block.shape.slice(outer.length);
    if (inner.length === field.shape.length && inner.every((length, d) => length === field.shape[d]))
      return { field, block, outer };
    throw new InputError(
      `the values of the field "${field.name}" have the shape [${block.shape.join(', ')}]; it must end with [${field.shape.join(', ')}]`,
    );
  });
  const shape = broadcastShapes(blocks.map(({ outer }) => outer));
  const bytes = new Uint8Array(sizeOf(shape) * dtype.itemSize);
  const to = stridesOf(shape, dtype.itemSize);
  for (const { field, block, outer } of blocks) {
    if (!('bytes' in block)) continue;
    const itemBytes = sizeOf(field.shape) * block.dtype.itemSize;
    const from = broadcastStrides(outer, stridesOf(outer, itemBytes), shape);
    const dims = shape.map((count, d) => ({ count, from: defined(from[d]), to: defined(to[d]) }));
    copyStrided(block.bytes, 0, bytes, field.offset, dims, itemBytes);
  }
  return { dtype, shape, bytes };
}

/**
 * @param records objects with one value per field
 * @throws InputError for a missing or unknown field, or invalid values
 */
export function packRecords(
  records: ArrayLike<unknown>,
  shape: readonly number[],
  dtype: StructType,
  rank: number,
  position: PositionText,
  pack: PackBlock,
): Block {
  const list = Array.from(records, (record, i) => {
    if (typeof record !== 'object' || record === null || isArrayLike(record))
      throw invalidValue(record, `an object with the fields ${fieldNames(dtype)}`, position(i));
    const fields: Readonly<Record<string, unknown>> = { ...record };
    checkNames(fields, dtype, position(i));
    return fields;
  });
  if (list.length === 0) return { dtype, shape, bytes: new Uint8Array(0) };
  const columns = Object.fromEntries(
    dtype.fields.map(({ name }) => [name, list.map((record) => record[name])]),
  );
  const block = packStructOfArrays(columns, dtype, rank, pack);
  return 'bytes' in block ? { dtype, shape, bytes: block.bytes } : block;
}

function packField(values: unknown, field: StructField, rank: number, pack: PackBlock): Block {
  if (!isFixedSize(field.dtype)) throw new InputError(`the field "${field.name}" has no fixed size`);
  try {
    return pack(values, field.dtype, rank + field.shape.length);
  } catch (error) {
    if (error instanceof InputError)
      throw new InputError(`field "${field.name}": ${error.detail}`, { cause: error });
    throw error;
  }
}

function checkNames(record: Readonly<Record<string, unknown>>, dtype: StructType, position: string): void {
  const missing = dtype.fields.find(({ name }) => !Object.hasOwn(record, name));
  if (missing !== undefined)
    throw new InputError(
      `${position} lacks the field "${missing.name}"; the fields are ${fieldNames(dtype)}`,
    );
  const unknown = Object.keys(record).find((name) => !dtype.fields.some((field) => field.name === name));
  if (unknown !== undefined)
    throw new InputError(
      `${position} has the unknown field ${JSON.stringify(unknown.slice(0, 80))}; the fields are ${fieldNames(dtype)}`,
    );
}

function fieldNames(dtype: StructType): string {
  return dtype.fields.map(({ name }) => `"${name}"`).join(', ');
}
