/**
 * `scale_offset`, a registered extension of v3: stores (x - offset) * scale, computed in the data type of
 * the array. For integers, results that the type cannot represent exactly are errors.
 */
import type { JsonValue } from '../../../core/bytes/json.js';
import { type NumberType, integerRange } from '../../../core/dtype/data-type.js';
import { parseNumberFill } from '../../../core/dtype/fill-number.js';
import { CodecError, InputError, MetadataError } from '../../../core/errors.js';
import { type Filter, realName } from './filter.js';
import {
  type FilterNumber,
  floatNames,
  integerNames,
  isBig,
  isFloatName,
  makeNumbers,
  makeSmall,
  type Numbers,
  readNumbers,
  rounderOf,
} from './numbers.js';
import type { BufferType } from '../configuration.js';

const NAME = 'scale_offset';

export const scaleOffsetFilter: Filter = {
  name: NAME,
  options: ['offset', 'scale'],
  bind(configuration, input) {
    const type = checkedType(input);
    const name = realName(type.dtype.name);
    const offset = readScalar(configuration['offset'] ?? 0, 'offset', type.dtype, name);
    const scale = readScalar(configuration['scale'] ?? 1, 'scale', type.dtype, name);
    if (Number(scale) === 0) throw new MetadataError(`codec "${NAME}": "scale" must not be zero`);
    const codec = isFloatName(name)
      ? floats(rounderOf(name), Number(offset), Number(scale))
      : integers(name, BigInt(offset), BigInt(scale));
    return { decoded: type, encoded: type, ...codec };
  },
};

function checkedType(input: BufferType | undefined): BufferType {
  const names: readonly string[] = [...integerNames, ...floatNames];
  if (input !== undefined && names.includes(input.dtype.name)) return input;
  throw new MetadataError(`codec "${NAME}" supports only integers and floats`);
}

/** Reads a number in the notation of a fill value of the array's data type. */
function readScalar(json: JsonValue, option: string, dtype: NumberType, name: FilterNumber): number | bigint {
  const context = { format: 3, at: `codec "${NAME}": "${option}"`, type: dtype.name } as const;
  const bytes = parseNumberFill(json, dtype, context);
  return readNumbers(bytes, { dtype, swaps: [] }, name)[0];
}

type Codec = Record<'encode' | 'decode', (values: Numbers) => Numbers>;

function floats(round: (value: number) => number, offset: number, scale: number): Codec {
  const mapped = (values: Numbers, map: (value: number) => number): Numbers => {
    if (isBig(values)) return values;
    const result = values instanceof Float64Array ? new Float64Array(values.length) : makeSmall('float32', values.length); // prettier-ignore
    for (let i = 0; i < values.length; i++) result[i] = map(values[i]);
    return result;
  };
  return {
    encode: (values) => mapped(values, (x) => round(round(x - offset) * scale)),
    decode: (values) => mapped(values, (x) => round(round(x / scale) + offset)),
  };
}

/**
 * Creates the functions for integers. Types of up to 32 bits are computed as doubles, whose inexact results
 * are far outside the type's range; 64-bit types as bigint.
 */
function integers(name: FilterNumber, offset: bigint, scale: bigint): Codec {
  const [plus, by] = [Number(offset), Number(scale)];
  return {
    encode: (values) =>
      mapIntegers(values, name, {
        small: (x) => (x - plus) * by,
        big: (x) => (x - offset) * scale,
        fail: (i) => new InputError(`codec "${NAME}": element ${i} does not fit in ${name} after scaling`),
      }),
    decode: (values) =>
      mapIntegers(values, name, {
        small: (x) => (x % by === 0 ? x / by + plus : NaN),
        big: (x) => (x % scale === 0n ? x / scale + offset : undefined),
        fail: (i) =>
          new CodecError(`codec "${NAME}": stored element ${i} does not fit in ${name} after decoding`),
      }),
  };
}

interface IntegerMap {
  /** @returns NaN if no integer is the exact result */
  readonly small: (value: number) => number;
  /** @returns undefined if no integer is the exact result */
  readonly big: (value: bigint) => bigint | undefined;
  readonly fail: (i: number) => Error;
}

function mapIntegers(values: Numbers, name: FilterNumber, { small, big, fail }: IntegerMap): Numbers {
  const [min, max] = integerRange(name) ?? [0n, 0n];
  const result = makeNumbers(name, values.length);
  if (isBig(values)) {
    if (!isBig(result)) return result;
    for (let i = 0; i < values.length; i++) {
      const value = big(values[i]);
      if (value === undefined || value < min || value > max) throw fail(i);
      result[i] = value;
    }
    return result;
  }
  if (isBig(result)) return result;
  const [least, most] = [Number(min), Number(max)];
  for (let i = 0; i < values.length; i++) {
    const value = small(values[i]);
    if (!(value >= least && value <= most)) throw fail(i);
    result[i] = value;
  }
  return result;
}
