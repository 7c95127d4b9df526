/** Packed numbers (CF, section 8.1) with missing values: attributes, and unpacking to floats. */
import { isIntegerName } from '../../../wire/data-types.js';
import {
  dataOf,
  numberType,
  toTypedArray,
  transformBlock,
  type Block,
  type JsonObject,
  type JsonValue,
  type NumberTransform,
  type PackedNumbers,
  type RealName,
  type ValueRange,
} from '../../zarr/index.js';
import { badAttribute, itemsOf, floatOfBase64 } from '../attributes.js';
import type { StoredVariable } from './decoding.js';
import { type MissingAttribute, parseMissing, readEach } from './missing-values.js';
import { integerBounds, numberOfAttribute, parseValidRange, storedNumber } from './valid-range.js';

/** How a variable's numbers are packed. */
export interface Packing {
  /**
   * Type of the packed numbers after `_Unsigned` is applied, missing values that it can represent, scaling
   * and valid range.
   */
  readonly values: PackedNumbers;
  /**
   * Whether missing values other than NaN or a valid range are declared. Integers are then decoded to floats.
   */
  readonly hasMissing: boolean;
  /** Whether missing values are declared, and all of them are NaN. */
  readonly hasOnlyNaNMissing: boolean;
  readonly encoding: JsonObject;
}

export type RealVariable = StoredVariable & {
  readonly dtype: { readonly name: RealName; readonly itemSize: number };
};

export interface PackingOptions {
  readonly useFillValue: boolean;
  readonly maskOutOfRange: boolean;
}

/** @throws MetadataError if an attribute has an unexpected type or too many values */
export function parsePacking(variable: RealVariable, options: PackingOptions): Packing {
  const { attributes, dtype } = variable;
  const name = unsignedType(dtype.name, attributes['_Unsigned']);
  const wraps = name !== dtype.name;
  const { values, encoding } = parseMissing(variable, {
    own: options.useFillValue ? ownFill(variable) : undefined,
    read: (json, attribute) => readEach(json, (item) => missingNumber(item, attribute, variable)),
    expected: 'a number or a list of numbers',
  });
  const comparable = values.filter((value) => !Number.isNaN(value));
  const scale = parseFactor(variable, 'scale_factor');
  const offset = parseFactor(variable, 'add_offset');
  const range = options.maskOutOfRange ? parseValidRange(variable) : undefined;
  const isPacked = range !== undefined && boundsArePacked(range, name, scale ?? offset);
  return {
    hasMissing: comparable.length > 0 || range !== undefined,
    hasOnlyNaNMissing: values.length > 0 && comparable.length === 0,
    values: {
      name,
      missing: comparable.flatMap((value) => storedNumber(value, name, wraps) ?? []),
      scale,
      offset,
      packedRange: isPacked ? range : undefined,
      unpackedRange: isPacked ? undefined : range,
    },
    encoding: { ...encoding, ...attributesNamed(attributes, ['_Unsigned', 'scale_factor', 'add_offset']) },
  };
}

function ownFill({ fill, dtype }: RealVariable): number | bigint | undefined {
  if (fill === undefined || !('bytes' in fill)) return undefined;
  const [value] = toTypedArray({ dtype, shape: [1], bytes: fill.bytes });
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

function missingNumber(
  item: JsonValue,
  attribute: MissingAttribute,
  { zarrFormat, dtype }: RealVariable,
): number | bigint | undefined {
  const number = numberOfAttribute(item);
  if (number !== undefined || typeof item !== 'string') return number;
  const isEncoded = zarrFormat === 3 && attribute === '_FillValue' && dtype.name.startsWith('float');
  return isEncoded ? floatOfBase64(item) : undefined;
}

function wordOf(attribute: JsonValue | undefined): string | undefined {
  return typeof attribute === 'string' ? attribute.trim().toLowerCase() : undefined;
}

/** The data type that `_Unsigned` selects: NetCDF's workaround for types that its classic format lacks. */
export function unsignedType(name: RealName, attribute: JsonValue | undefined): RealName {
  const wanted = typeof attribute === 'boolean' ? String(attribute) : wordOf(attribute);
  const isUnsigned = name.startsWith('u');
  const other = isUnsigned ? name.slice(1) : `u${name}`;
  return wanted === String(!isUnsigned) && isIntegerName(other) ? other : name;
}

function parseFactor(variable: StoredVariable, attribute: 'scale_factor' | 'add_offset'): number | undefined {
  const json = variable.attributes[attribute];
  if (json === undefined || json === null) return undefined;
  const [item, ...others] = itemsOf(json);
  if ((typeof item !== 'number' && typeof item !== 'bigint') || others.length > 0)
    throw badAttribute(variable.name, attribute, json, 'expected a number');
  return Number(item);
}

/**
 * Bounds refer to packed values, unless the packed type cannot represent them (NetCDF Users' Guide,
 * "Attribute Conventions").
 */
function boundsArePacked({ min, max }: ValueRange, source: RealName, factor: number | undefined): boolean {
  if (factor === undefined || integerBounds(source) === undefined) return true;
  return [min, max].every((bound) => !Number.isFinite(bound) || storedNumber(bound, source) !== undefined);
}

function attributesNamed(attributes: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = attributes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * The data type of unpacked values, chosen as in xarray: float64 if there is a scale or an offset, since JSON
 * does not preserve their types. Floats whose only missing value is NaN keep their type and are scaled in it.
 */
export function unpackedType(packing: Packing): RealName {
  const { values, hasMissing, hasOnlyNaNMissing } = packing;
  const source = values.name;
  const bounds = integerBounds(source);
  if (isScaled(packing)) return hasOnlyNaNMissing && bounds === undefined ? source : 'float64';
  if (!hasMissing || bounds === undefined) return source;
  return bounds.bits <= 16 ? 'float32' : 'float64';
}

export function isScaled({ values }: Packing): boolean {
  return values.scale !== undefined || values.offset !== undefined;
}

/** Expresses unpacking as an element transform. Missing values become NaN. */
export function unpacking({ values }: Packing, name: NumberTransform['dtype']['name']): NumberTransform {
  const { itemSize } = numberType(values.name);
  return { kind: 'numbers', sourceBytes: itemSize, dtype: numberType(name), values };
}

/** Unpacks values. Missing values become NaN. */
export function unpack(stored: Block, packing: Packing): Float64Array {
  return dataOf(transformBlock(unpacking(packing, 'float64'), stored), 'float64');
}

/** Whether unpacked values are floats regardless of missing values. */
export function isUnpackedFloat(packing: Packing): boolean {
  return integerBounds(packing.values.name) === undefined || isScaled(packing);
}
