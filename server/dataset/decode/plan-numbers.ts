/** Plans the decoding of numbers, booleans and complex numbers. Numbers may be packed, booleans, dates or durations. */
import {
  type ElementTransform,
  numberType,
  type RealName,
  itemsOfValues,
  toTypedArray,
  type Block,
  type JsonObject,
  type JsonValue,
  type NumberType,
  isJsonList,
} from '../../zarr/index.js';
import { floatOfBase64 } from '../attributes.js';
import {
  type VariableDecoding,
  type DecodingOptions,
  type StoredVariable,
  createDecoding,
} from './decoding.js';
import { parseMissing, readEach, integerBounds, numberOfAttribute } from './missing-values.js';
import {
  isScaled,
  parsePacking,
  unpackedType,
  unpacking,
  type Packing,
  type RealVariable,
  unpack,
} from './packed-numbers.js';
import { planDates } from './plan-dates.js';
import { planDurations } from './plan-durations.js';

/** @throws MetadataError if an attribute is invalid */
export function planNumbers(variable: RealVariable, options: Required<DecodingOptions>): VariableDecoding {
  const packing = parsePacking(variable, options);
  const times = options.decodeTimes ? planTimes(variable, packing, options) : undefined;
  if (times !== undefined) return times;
  if (variable.attributes['dtype'] === 'bool') return planBooleanNumbers(variable, packing);
  const { encoding } = packing;
  const name = unpackedType(packing);
  const dtype = numberType(name);
  const isFloat = integerBounds(name) === undefined;
  const missing = isFloat ? 'nan' : 'none';
  return createDecoding(variable, {
    dtype,
    encoding,
    missing,
    transform: numberTransform(variable, packing, name),
  });
}

function planTimes(variable: RealVariable, packing: Packing, options: Required<DecodingOptions>) {
  return planDates(variable, packing) ?? planDurations(variable, packing, options.decodeDurations);
}

/** @returns undefined if the values need no transform */
function numberTransform(
  variable: RealVariable,
  packing: Packing,
  name: RealName,
): ElementTransform | undefined {
  const isSame = name === variable.dtype.name;
  if (name !== 'float16' && name !== 'float32' && name !== 'float64') {
    const { itemSize } = variable.dtype;
    return isSame ? undefined : { kind: 'copy', sourceBytes: itemSize, dtype: numberType(name) };
  }
  const { missing, packedRange } = packing.values;
  const isUntouched = isSame && missing.length === 0 && packedRange === undefined && !isScaled(packing);
  return isUntouched ? undefined : unpacking(packing, name);
}

// Booleans. If values can be missing, elements are decoded to true, false and null, like xarray's objects
// of True, False and NaN.

/** @throws MetadataError if an attribute is not a boolean */
export function planBooleans(variable: StoredVariable, useFillValue: boolean): VariableDecoding {
  const { fill, attributes } = variable;
  const own = useFillValue && fill !== undefined && 'bytes' in fill ? fill.bytes[0] !== 0 : undefined;
  const { values, encoding } = parseMissing(variable, {
    own,
    read: (json) => readEach(json, (item) => (item === true || item === false ? item : zeroOrOne(item))),
    expected: 'true or false',
  });
  const used = attributes['dtype'] === 'bool' ? { ...encoding, dtype: 'bool' } : encoding;
  if (values.length === 0)
    return createDecoding(variable, { dtype: variable.dtype, encoding: used, missing: 'none' });
  const decode = (stored: Block) =>
    itemsBlock(
      stored,
      Array.from(toTypedArray(stored), (value) => maskedItem(value !== 0, values)),
    );
  return createDecoding(variable, { dtype: itemsType, encoding: used, missing: 'null', decode });
}

function zeroOrOne(item: unknown): boolean | undefined {
  return item === 0 || item === 1 ? item === 1 : undefined;
}

function maskedItem(value: boolean, missing: readonly boolean[]): boolean | null {
  return missing.includes(value) ? null : value;
}

/** Plans the decoding of numbers with the attribute `dtype: "bool"`: every value except 0 is true. */
function planBooleanNumbers(variable: RealVariable, packing: Packing): VariableDecoding {
  const encoding: JsonObject = { ...packing.encoding, dtype: 'bool' };
  if (packing.hasMissing) {
    const decode = (stored: Block) =>
      itemsBlock(
        stored,
        Array.from(unpack(stored, packing), (value) => (Number.isNaN(value) ? null : value !== 0)),
      );
    return createDecoding(variable, { dtype: itemsType, encoding, missing: 'null', decode });
  }
  const transform = unpacking(packing, 'bool');
  return createDecoding(variable, { dtype: transform.dtype, encoding, missing: 'none', transform });
}

const itemsType = { name: 'json', itemSize: null } as const;

function itemsBlock(stored: Block, items: readonly (boolean | null)[]): Block {
  return { dtype: itemsType, shape: stored.shape, items: itemsOfValues(items, itemsType) };
}

// Complex numbers: only missing values are decoded, to NaN in both parts.

type Complex = readonly [re: number, im: number];

/** @throws MetadataError if an attribute is not a number */
export function planComplex(
  variable: StoredVariable,
  dtype: NumberType<'complex64' | 'complex128'>,
  useFillValue: boolean,
): VariableDecoding {
  const { values, encoding } = parseMissing<Complex>(variable, {
    own: useFillValue ? ownFill(variable) : undefined,
    read: (json, attribute) =>
      attribute === '_FillValue' && isJsonList(json) && json.length === 2
        ? pairOf(json)
        : readEach(json, (item) => withReal(partOf(item))),
    expected: 'a number, or a pair of real and imaginary part',
  });
  const isSingle = dtype.name === 'complex64';
  const missing = values
    .filter((parts) => !parts.some(Number.isNaN))
    .map(([re, im]): Complex => (isSingle ? [Math.fround(re), Math.fround(im)] : [re, im]));
  const transform =
    missing.length === 0
      ? undefined
      : ({ kind: 'complex', sourceBytes: dtype.itemSize, dtype, missing } as const);
  return createDecoding(variable, { dtype, encoding, missing: 'nan', transform });
}

function ownFill({ fill, dtype }: StoredVariable): Complex | undefined {
  if (fill === undefined || !('bytes' in fill)) return undefined;
  if (dtype.name !== 'complex64' && dtype.name !== 'complex128') return undefined;
  const [re, im] = toTypedArray({ dtype, shape: [1], bytes: fill.bytes });
  return [Number(re), Number(im)];
}

function partOf(item: JsonValue | undefined): number | undefined {
  const number = numberOfAttribute(item);
  if (number !== undefined) return Number(number);
  return typeof item === 'string' ? floatOfBase64(item) : undefined;
}

function withReal(re: number | undefined): Complex | undefined {
  return re === undefined ? undefined : [re, 0];
}

function pairOf([first, second]: readonly JsonValue[]): readonly Complex[] | undefined {
  const [re, im] = [partOf(first), partOf(second)];
  return re === undefined || im === undefined ? undefined : [[re, im]];
}
