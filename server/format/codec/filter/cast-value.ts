/**
 * `cast_value`, a registered extension of v3: the same numbers in another data type. Unlike numcodecs'
 * `astype`, values out of range are an error unless the configuration defines their handling.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../../../core/bytes/json.js';
import {
  dataTypeName,
  type NumberType,
  integerRange,
  isNumberName,
  numberType,
} from '../../../core/dtype/data-type.js';
import { parseNumberFill } from '../../../core/dtype/fill-number.js';
import { parseDataType } from '../../../core/dtype/notation.js';
import { CodecError, InputError, MetadataError, UnsupportedError } from '../../../core/errors.js';
import { badOption, readChoice } from '../configuration.js';
import { type Filter, realName } from './filter.js';
import {
  type FilterNumber,
  floatNames,
  integerNames,
  isBig,
  isFloatName,
  makeNumbers,
  type Numbers,
  readNumbers,
  roundHalfEven,
} from './numbers.js';
import { castNumbers } from './cast-numbers.js';

const NAME = 'cast_value';
const roundings = ['nearest-even', 'towards-zero', 'towards-positive', 'towards-negative', 'nearest-away'] as const; // prettier-ignore
type Rounding = (typeof roundings)[number];

const rounders: Readonly<Record<Rounding, (value: number) => number>> = {
  'nearest-even': roundHalfEven,
  'towards-zero': Math.trunc,
  'towards-positive': Math.ceil,
  'towards-negative': Math.floor,
  // Adding 0.5 would round values just below a half incorrectly.
  'nearest-away': (value) =>
    Math.trunc(value) + (Math.abs(value - Math.trunc(value)) >= 0.5 ? Math.sign(value) : 0),
};

interface Cast {
  readonly from: FilterNumber;
  readonly to: FilterNumber;
  readonly rounding: Rounding;
  readonly outOfRange: 'error' | 'clamp' | 'wrap';
  /** Values that are mapped before any other rule applies. All NaNs are one value, and 0 equals -0. */
  readonly map: ReadonlyMap<number | bigint, number | bigint>;
  readonly fail: (message: string) => Error;
  /** Range of `to`, if it is an integer type. */
  readonly range: readonly [bigint, bigint];
  /** Bounds of the part of the range in which doubles are exact. */
  readonly least: number;
  readonly most: number;
}

export const castValueFilter: Filter = {
  name: NAME,
  options: ['data_type', 'rounding', 'out_of_range', 'scalar_map'],
  bind(configuration, input) {
    if (input === undefined) throw new MetadataError(`codec "${NAME}" supports only integers and floats`);
    const decoded = checkedType(input.dtype.name);
    const encoded = checkedType(dataTypeName(parseDataType(configuration['data_type'] ?? null)));
    const rounding = readChoice(NAME, configuration, 'rounding', roundings, 'nearest-even');
    const outOfRange = readChoice(NAME, configuration, 'out_of_range', ['error', 'clamp', 'wrap'], 'error');
    if (outOfRange === 'wrap' && isFloatName(encoded.name))
      throw badOption(NAME, 'out_of_range', outOfRange, `"clamp", "error" or absent if the values become ${encoded.name}`); // prettier-ignore
    const common = { rounding, outOfRange };
    const [a, b] = [realName(decoded.name), realName(encoded.name)];
    const encode: Cast = {
      ...common,
      ...boundsOf(b),
      from: a,
      to: b,
      map: readMap(configuration, 'encode', decoded, encoded),
      fail: (message) => new InputError(message),
    };
    const decode: Cast = {
      ...common,
      ...boundsOf(a),
      from: b,
      to: a,
      map: readMap(configuration, 'decode', encoded, decoded),
      fail: (message) => new CodecError(message),
    };
    return {
      decoded: input,
      encoded: { dtype: encoded, swaps: [] },
      encode: (values) => castValues(values, encode),
      decode: (values) => castValues(values, decode),
    };
  },
};

function boundsOf(name: FilterNumber): Pick<Cast, 'range' | 'least' | 'most'> {
  const range = integerRange(name) ?? [0n, 0n];
  const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  return { range, least: Math.max(least, Number(range[0])), most: Math.min(most, Number(range[1])) };
}

function checkedType(name: string): NumberType {
  const names: readonly string[] = [...integerNames, ...floatNames];
  if (names.includes(name) && isNumberName(name)) return numberType(name);
  throw new UnsupportedError(`codec "${NAME}": unsupported data type ${name}`);
}

/** Reads `scalar_map`: a list of pairs for each direction, in the notation of fill values. */
function readMap(
  configuration: JsonObject,
  direction: 'encode' | 'decode',
  from: NumberType,
  to: NumberType,
): Cast['map'] {
  const map = configuration['scalar_map'] ?? {};
  const wanted = '{"encode": [[value, value], ...], "decode": [...]}';
  const pairs = isJsonObject(map) ? (map[direction] ?? []) : undefined;
  if (!isJsonList(pairs)) throw badOption(NAME, 'scalar_map', map, wanted);
  return new Map(
    pairs.map((pair) => {
      const [key, value] = isJsonList(pair) && pair.length === 2 ? pair : [];
      if (key === undefined || value === undefined) throw badOption(NAME, 'scalar_map', map, wanted);
      return [readScalar(key, from), readScalar(value, to)] as const;
    }),
  );
}

function readScalar(json: JsonValue, dtype: NumberType): number | bigint {
  const context = { format: 3, at: `codec "${NAME}": "scalar_map"`, type: dtype.name } as const;
  const type = { dtype, swaps: [] };
  return readNumbers(parseNumberFill(json, dtype, context), type, realName(dtype.name))[0];
}

function castValues(values: Numbers, cast: Cast): Numbers {
  const result = isFloatName(cast.to) ? castNumbers(values, cast.from, cast.to).slice() : makeNumbers(cast.to, values.length); // prettier-ignore
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const mapped = cast.map.get(value);
    if (mapped === undefined && isFloatName(cast.to)) checkFloat(value, Number(result[i]), cast);
    else if (isBig(result)) result[i] = BigInt(mapped ?? toInteger(value, cast));
    else result[i] = Number(mapped ?? toInteger(value, cast));
  }
  return result;
}

/** @param nearest the float that `value` became */
function checkFloat(value: number | bigint, nearest: number, cast: Cast): void {
  if (typeof value === 'number' && !Number.isFinite(value)) return;
  if (!Number.isFinite(nearest)) {
    if (cast.outOfRange === 'clamp') return;
    throw outside(value, cast);
  }
  const isExact = typeof value === 'bigint' ? BigInt(nearest) === value : nearest === value;
  if (!isExact && cast.rounding !== 'nearest-even')
    throw new UnsupportedError(
      `codec "${NAME}": ${value} must be rounded to ${cast.to}, which only "nearest-even" supports`,
    );
}

function toInteger(value: number | bigint, cast: Cast): number | bigint {
  const { outOfRange, to, rounding, range } = cast;
  const [min, max] = range;
  const rounded = typeof value === 'bigint' || Number.isInteger(value) ? value : rounders[rounding](value);
  if (typeof rounded === 'number' && rounded >= cast.least && rounded <= cast.most) return rounded;
  if (typeof rounded === 'number' && !Number.isFinite(rounded)) {
    if (Number.isNaN(rounded) || outOfRange !== 'clamp') throw outside(value, cast);
    return rounded < 0 ? min : max;
  }
  const integer = BigInt(rounded);
  if (integer >= min && integer <= max) return integer;
  if (outOfRange === 'error') throw outside(value, cast);
  if (outOfRange === 'clamp') return integer < min ? min : max;
  const bits = numberType(to).itemSize * 8;
  return min < 0n ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
}

function outside(value: number | bigint, { to, outOfRange, fail }: Cast): Error {
  return fail(`codec "${NAME}": ${value} is out of range of ${to}, and "out_of_range" is "${outOfRange}"`);
}
