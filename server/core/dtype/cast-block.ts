/** Converts a block to another data type: NumPy's casts, checked. Only floats may lose precision. */
import { formatDatetime, parseDatetime } from '../../../wire/datetime.js';
import { type Items, ItemStore } from '../bytes/items.js';
import { sameShape } from '../bytes/shape.js';
import { InputError } from '../errors.js';
import { toTypedArray } from './arrays.js';
import {
  dataTypeName,
  isFixedSize,
  isTime,
  type Block,
  type DataType,
  integerRange,
  isComplexName,
  isFloatName,
  type RaggedType,
  type VariableType,
} from './data-type.js';
import { fixedTraitsOf, traitsOf, variableTraitsOf } from './families.js';
import { positionTextIn } from './nested-values.js';
import type { PositionText } from './pack-numbers.js';

/** @throws InputError if a value is out of range, or the data types are not convertible */
export function castBlock(block: Block, dtype: DataType): Block {
  if (sameType(block.dtype, dtype)) return block;
  const { shape } = block;
  const position = positionTextIn(shape);
  if (dtype.name === 'unknown' || !traitsOf(dtype).castsFrom(block.dtype))
    throw new InputError(
      `values of type ${typeText(block.dtype)} cannot be written as ${typeText(dtype)}; convert them first`,
    );
  if (isFixedSize(dtype))
    return { dtype, shape, bytes: fixedTraitsOf(dtype).pack(valuesOf(block, dtype), position) };
  return { dtype, shape, items: packItems(valuesOf(block, dtype), dtype, position) };
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
  // Floats beyond 2^53 are exact integers, but as numbers they would be rejected. They are therefore
  // converted to bigints.
  if (isFloatName(from.name) && dtype.itemSize === 8 && integerRange(dtype.name) !== undefined)
    return Array.from(values, (value) =>
      typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value,
    );
  return values;
}

/** @throws InputError naming the position of the value */
export function packItems(
  values: ArrayLike<unknown>,
  dtype: VariableType | RaggedType,
  position: PositionText,
): Items {
  const traits = variableTraitsOf(dtype);
  const items = new ItemStore(values.length);
  for (let i = 0; i < values.length; i++) items.set(i, traits.pack(values[i], position(i)));
  return items;
}

/** Whether two data types are equal, so that their bytes are interchangeable. */
export function sameType(a: DataType, b: DataType): boolean {
  if (a.name !== b.name || a.itemSize !== b.itemSize) return false;
  if (a.name === 'struct' && b.name === 'struct')
    return (
      a.fields.length === b.fields.length &&
      a.fields.every((field, i) => {
        const other = b.fields[i];
        return (
          other !== undefined &&
          field.name === other.name &&
          field.offset === other.offset &&
          sameShape(field.shape, other.shape) &&
          sameType(field.dtype, other.dtype)
        );
      })
    );
  if ('unit' in a && 'unit' in b) return a.unit === b.unit && a.scale === b.scale;
  if (a.name === 'ragged' && b.name === 'ragged') return sameType(a.item, b.item);
  return a.name !== 'unknown' || b.name !== 'unknown' || a.given === b.given;
}
