/** Booleans, integers, floats and complex numbers. */
import type { NumberType } from '../data-type.js';
import { parseNumberFill, printNumberFill } from '../fill-number.js';
import { floatPartOf } from '../number-types.js';
import { packNumbers } from '../pack-numbers.js';
import type { FixedTraits } from './family.js';

export function numberTraits(dtype: NumberType): FixedTraits {
  const { name, itemSize } = dtype;
  const part = floatPartOf(name);
  const parts = part === undefined || part === name ? 1 : 2;
  return {
    v3Json: () => name,
    swaps: () => (itemSize === 1 ? [] : [{ offset: 0, unit: itemSize / parts, count: parts }]),
    undefinedFill: () => new Uint8Array(itemSize),
    parseFill: (json, context) => parseNumberFill(json, dtype, context),
    printFill: (bytes, format) => printNumberFill(bytes, dtype, format),
    pack: (values, place) => packNumbers(values, name, place),
  };
}
