/** The family of each data type: the one place that tells families apart. */
import type { ByteSwap } from './byte-order.js';
import {
  isFixedSize,
  type DataType,
  type FixedSizeType,
  type RaggedType,
  type UnknownType,
  type VariableType,
} from './data-type.js';
import type { FixedTraits, VariableTraits } from './family/family.js';
import { fixedTraits } from './family/fixed.js';
import { numberTraits } from './family/number.js';
import { structTraits } from './family/struct.js';
import { timeTraits } from './family/time.js';
import { variableTraits } from './family/variable.js';

export function fixedTraitsOf(dtype: FixedSizeType): FixedTraits {
  switch (dtype.name) {
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return timeTraits(dtype);
    case 'null_terminated_bytes':
    case 'fixed_length_utf32':
    case 'raw_bytes':
    case 'raw_bits':
      return fixedTraits(dtype);
    case 'struct':
      return structTraits(dtype, fixedTraitsOf);
    default:
      return numberTraits(dtype);
  }
}

export function variableTraitsOf(dtype: VariableType | RaggedType | UnknownType): VariableTraits {
  return variableTraits(dtype, fixedTraitsOf);
}

export function traitsOf(dtype: DataType): FixedTraits | VariableTraits {
  return isFixedSize(dtype) ? fixedTraitsOf(dtype) : variableTraitsOf(dtype);
}

/**
 * The swaps of an item that is big-endian throughout; none for types without byte order and for those of variable
 * length, whose codecs know their own.
 * @throws UnsupportedError for a struct with more than 10,000 parts
 */
export function swapsOf(dtype: DataType): readonly ByteSwap[] {
  return isFixedSize(dtype) ? fixedTraitsOf(dtype).swaps() : [];
}
