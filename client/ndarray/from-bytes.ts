/** Creates NDArrays from little-endian bytes in C order. Except for float16, typed arrays share their memory. */
import { isNumberName, isTimeName } from '../../wire/data-types.js';
import { namedRecord } from '../json/json.js';
import { createDense, type DenseParts } from './dense.js';
import type { FieldLayout, ValueLayout } from './layout.js';
import type { AnyNDArray, Coordinates, StructScalar } from './ndarray.js';
import { sizeOf, nest } from './shape.js';
import { fixedRows, numericRow } from './wire-rows.js';

export interface ByteBlock {
  readonly layout: ValueLayout;
  readonly shape: readonly number[];
  /** One per dimension; missing names at the end are null. */
  readonly dimensions: readonly (string | null)[];
  /** Exactly size x itemSize bytes, at an offset aligned to the elements, such as a multiple of 8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** See `NDArray`. */
  readonly mask?: Uint8Array | undefined;
  readonly coordinates?: Coordinates | undefined;
}

export function createFromBytes(block: ByteBlock): AnyNDArray {
  const { layout, shape, bytes, mask, coordinates } = block;
  const dimensions = shape.map((_, d) => block.dimensions[d] ?? null);
  const base = { shape, dimensions, bytes, mask, coordinates };
  if (layout.name === 'struct')
    return createFromColumns(
      layout.fields.map((field) => ({ field, values: createField(block, field) })),
      base,
    );
  const { name } = layout;
  if (isNumberName(name) || isTimeName(name)) {
    const row = numericRow(name);
    const data = row.view(bytes);
    return createDense({ ...base, ...layout, dtype: name, data, read: row.read(data, mask) });
  }
  return createDense({
    ...base,
    dtype: name,
    ...fixedRows[name].fromBytes(bytes, layout.itemSize, sizeOf(shape)),
  });
}

/** The values of one field of all structs, as a contiguous copy. */
function createField(block: ByteBlock, field: FieldLayout): AnyNDArray {
  const length = field.layout.itemSize * sizeOf(field.shape);
  const count = sizeOf(block.shape);
  const bytes = new Uint8Array(count * length);
  for (let i = 0, from = field.offset; i < count && length > 0; i++, from += block.layout.itemSize)
    bytes.set(block.bytes.subarray(from, from + length), i * length);
  const shape = [...block.shape, ...field.shape];
  return createFromBytes({ layout: field.layout, shape, dimensions: block.dimensions, bytes });
}

export interface Column {
  readonly field: FieldLayout;
  /**
   * The values of this field for all structs, in the shape of the result. A sub-array field has additional dimensions
   * at the end.
   */
  readonly values: AnyNDArray;
}

export function createFromColumns(
  columns: readonly Column[],
  base: Omit<DenseParts<'struct'>, 'dtype' | 'data' | 'read'>,
): AnyNDArray {
  const data = namedRecord(columns.map(({ field, values }) => [field.name, values]));
  const read = (at: number): StructScalar =>
    namedRecord(
      columns.map(({ field, values }): [string, unknown] => {
        const first = at * sizeOf(field.shape);
        return [field.name, nest(field.shape, (i) => values.at(first + i))];
      }),
    );
  return createDense({ ...base, dtype: 'struct', data, read });
}
