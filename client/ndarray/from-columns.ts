/** Creates arrays of structs from one array per field. */
import { namedRecord } from '../json/json.js';
import { createDense } from './dense.js';
import type { DenseParts } from './dense.js';
import type { FieldLayout } from './layout.js';
import type { AnyNDArray, StructScalar } from './ndarray.js';
import { nest, sizeOf } from './shape.js';

export interface Column {
  readonly field: FieldLayout;
  /**
   * One array per field, in the shape of the result. A sub-array field has additional dimensions at the
   * end.
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
