/** Converts bytes in a given NumPy data type to a block of an array's data type. */
import type { JsonValue } from '../bytes/json.js';
import { parseJsonText } from '../bytes/parse-json.js';
import { describeJson, printJson } from '../bytes/print-json.js';
import { InputError, MetadataError } from '../errors.js';
import { castBlock } from './cast-block.js';
import { type Block, chargedItemBytes, type DataType, type FixedSizeType, isFixedSize } from './data-type.js';
import { numpyDescr, numpyTypestr, parseNumpyType } from './notation.js';

/**
 * @param type a typestr, or a descr as JSON text: `<f4`, `[["a","<i4"]]`
 * @returns `blockOf`, which converts bytes (little-endian, in C order) to a block, cast to `dtype` if `type`
 * differs; also the size of an element in bytes, and its size for limits
 * @throws InputError for an invalid or big-endian type, or one without a fixed size; LimitError for too many
 * fields
 */
export function parseBytesOf(
  type: string,
  dtype: DataType,
): {
  readonly itemSize: number;
  readonly chargedItemBytes: number;
  readonly blockOf: (shape: readonly number[], bytes: Uint8Array) => Block;
} {
  const inputType = parseInputType(type, dtype);
  return {
    itemSize: inputType.itemSize,
    // The target may need more memory, for example empty text as text of variable length.
    chargedItemBytes: Math.max(chargedItemBytes(inputType), chargedItemBytes(dtype)),
    blockOf: (shape, bytes) => castBlock({ dtype: inputType, shape, bytes }, dtype),
  };
}

function parseInputType(text: string, dtype: DataType): FixedSizeType {
  try {
    const type: JsonValue = text.startsWith('[') ? parseJsonText(text) : text;
    // Two data types can have the same NumPy name (r16 is |V2). The data type of the array takes
    // precedence.
    if (isFixedSize(dtype) && printJson(type) === printJson(nameOf(dtype))) return dtype;
    const parsed = parseNumpyType(type);
    if (parsed.swaps.length > 0)
      throw new InputError(`"dtype" is ${describeJson(type)}; expected little-endian bytes, such as "<f4"`);
    if (isFixedSize(parsed.dtype)) return parsed.dtype;
    throw new InputError(`values of type ${describeJson(type)} cannot be passed as bytes; pass nested lists`);
  } catch (error) {
    if (error instanceof MetadataError) throw new InputError(error.detail, { cause: error });
    throw error;
  }
}

function nameOf(dtype: FixedSizeType): JsonValue {
  return dtype.name === 'struct' ? numpyDescr(dtype) : (numpyTypestr(dtype) ?? null);
}
