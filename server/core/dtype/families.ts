/** The families of data types, and the operations of each data type. */
import type { ByteSwap } from './byte-order.js';
import {
  type Block,
  type DataOf,
  type DataType,
  type FixedSizeType,
  isFixedBytes,
  isFixedSize,
  isTime,
  type RaggedType,
  type TypeName,
  type UnknownType,
  type VariableType,
} from './data-type.js';
import type { Family, FixedTraits, VariableTraits } from './family/family.js';
import { fixedFamily, fixedRows, fixedTraits } from './family/fixed.js';
import { numberFamily, numberRows, numberTraits } from './family/number.js';
import { recordsOf, structTraits, structFamily } from './family/struct.js';
import { timeFamily, timeRows, timeTraits } from './family/time.js';
import { variableFamily, variableRows, variableTraits } from './family/variable.js';

export const families: readonly Family[] = [
  numberFamily,
  timeFamily,
  fixedFamily,
  structFamily,
  variableFamily,
];

export type ReadableName = Exclude<TypeName, 'unknown'>;

/** All values of a block in C order, as in `ScalarTypes`. */
export const views: { readonly [N in ReadableName]: { readonly view: (block: Block) => DataOf<N> } } = {
  ...numberRows,
  ...timeRows,
  ...fixedRows,
  struct: { view: (block) => recordsOf(block, fixedTraitsOf) },
  ...variableRows,
};

export function fixedTraitsOf(dtype: FixedSizeType): FixedTraits {
  if (isTime(dtype)) return timeTraits(dtype);
  if (isFixedBytes(dtype)) return fixedTraits(dtype);
  return dtype.name === 'struct' ? structTraits(dtype, fixedTraitsOf) : numberTraits(dtype);
}

export function variableTraitsOf(dtype: VariableType | RaggedType | UnknownType): VariableTraits {
  return variableTraits(dtype, fixedTraitsOf);
}

export function traitsOf(dtype: DataType): FixedTraits | VariableTraits {
  return isFixedSize(dtype) ? fixedTraitsOf(dtype) : variableTraitsOf(dtype);
}

/**
 * The swaps of a big-endian element; none for data types without a byte order, and for variable-length types,
 * whose codecs handle it.
 * @throws UnsupportedError for a struct with more than 10,000 parts
 */
export function swapsOf(dtype: DataType): readonly ByteSwap[] {
  return isFixedSize(dtype) ? fixedTraitsOf(dtype).swaps() : [];
}
