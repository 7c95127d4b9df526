/** Converts a block to another data type without loss: NumPy's casts, checked. */
import { InputError } from '../errors.js';
import { toTypedArray } from './arrays.js';
import { dataTypeName, isFixedSize, isTime, type Block, type DataType } from './data-type.js';
import { formatDatetime, parseDatetime } from '../../../wire/datetime.js';
import { placeIn } from './nested-values.js';
import { integerRange, isComplexName, isFloatName } from './number-types.js';
import { fixedTraitsOf, traitsOf } from './families.js';
import { packItems } from './pack-values.js';
import { sameType } from './same-type.js';

/** @throws InputError if a value does not fit, or the data types are not convertible */
export function castBlock(block: Block, dtype: DataType): Block {
  if (sameType(block.dtype, dtype)) return block;
  const { shape } = block;
  const place = placeIn(shape);
  if (dtype.name === 'unknown' || !traitsOf(dtype).castsFrom(block.dtype))
    throw new InputError(
      `values of type ${typeText(block.dtype)} cannot be written as ${typeText(dtype)}; convert them first`,
    );
  if (isFixedSize(dtype))
    return { dtype, shape, bytes: fixedTraitsOf(dtype).pack(valuesOf(block, dtype), place) };
  return { dtype, shape, items: packItems(valuesOf(block, dtype), dtype, place) };
}

function typeText(dtype: DataType): string {
  if (!isTime(dtype)) return dataTypeName(dtype);
  return `${dtype.name}[${dtype.scale === 1 ? '' : dtype.scale}${dtype.unit}]`;
}

function valuesOf(block: Block, dtype: DataType): ArrayLike<unknown> {
  const values: ArrayLike<unknown> = toTypedArray(block);
  const from = block.dtype;
  if (isComplexName(from.name))
    return Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i], values[2 * i + 1]]);
  if (from.name === 'numpy.datetime64' && dtype.name === 'numpy.datetime64')
    return Array.from(values, (count) => {
      const text = formatDatetime(BigInt(String(count)), from);
      return parseDatetime(text, dtype) ?? text;
    });
  // Floats beyond 2^53 are exact integers, but would be rejected as numbers.
  if (isFloatName(from.name) && dtype.itemSize === 8 && integerRange(dtype.name) !== undefined)
    return Array.from(values, (value) =>
      typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value,
    );
  return values;
}
