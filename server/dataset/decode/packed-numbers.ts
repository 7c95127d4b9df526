/** Packed numbers (CF, section 8.1) and their missing values: what the attributes say, and the floats they become. */
import { dataOf, toTypedArray, type Block, type JsonObject, type JsonValue } from '../../zarr/index.js';
import { itemsOf } from './attribute-items.js';
import { badAttribute } from './bad-attribute.js';
import { floatOfBase64 } from './base64-attribute.js';
import type { StoredVariable } from './decoding.js';
import { parseMissing, readEach, type MissingAttribute } from './missing-values.js';
import {
  maskEqual,
  maskEqualLongs,
  maskOutside,
  scaleAndShift,
  toFloats,
  wordsOf,
  type Floats,
  type RealName,
} from './number-kernels.js';
import { integerBounds, numberOf, storedNumber } from './stored-number.js';
import { parseValidRange, type ValidRange } from './valid-range.js';

/** How the numbers of a variable are packed. */
export interface Packing {
  /** The type to read stored bytes as; by `_Unsigned` another one than the array's. */
  readonly source: RealName;
  /** Whether there are missing values other than NaN, so that integers become floats, whether or not one occurs. */
  readonly hasMissing: boolean;
  /** Missing values are declared, and all of them are NaN. */
  readonly hasOnlyNaNMissing: boolean;
  /** Those that can occur, as values of `source`. */
  readonly missing: readonly (number | bigint)[];
  readonly scale: number | undefined;
  readonly offset: number | undefined;
  /** Packed values outside are missing. */
  readonly packedRange: ValidRange | undefined;
  /** The same, of unpacked values. */
  readonly unpackedRange: ValidRange | undefined;
  readonly encoding: JsonObject;
}

export type RealVariable = StoredVariable & {
  readonly dtype: { readonly name: RealName; readonly itemSize: number };
};

export interface PackingOptions {
  readonly useFillValue: boolean;
  readonly maskOutOfRange: boolean;
}

/** @throws MetadataError where an attribute is of another kind than it should be */
export function parsePacking(variable: RealVariable, options: PackingOptions): Packing {
  const { attributes, dtype } = variable;
  const source = unsignedType(dtype.name, attributes['_Unsigned']);
  const wraps = source !== dtype.name;
  const { values, encoding } = parseMissing(variable, {
    own: options.useFillValue ? ownFill(variable) : undefined,
    read: (json, attribute) => readEach(json, (item) => missingNumber(item, attribute, variable)),
    expected: 'a number or a list of numbers',
  });
  const given = values.filter((value) => !Number.isNaN(value));
  const scale = parseFactor(variable, 'scale_factor');
  const offset = parseFactor(variable, 'add_offset');
  const range = options.maskOutOfRange ? parseValidRange(variable) : undefined;
  const isPacked = range !== undefined && boundsArePacked(range, source, scale ?? offset);
  return {
    source,
    hasMissing: given.length > 0 || range !== undefined,
    hasOnlyNaNMissing: values.length > 0 && given.length === 0,
    missing: given.flatMap((value) => storedNumber(value, source, wraps) ?? []),
    scale,
    offset,
    packedRange: isPacked ? range : undefined,
    unpackedRange: isPacked ? undefined : range,
    encoding: { ...encoding, ...taken(attributes, ['_Unsigned', 'scale_factor', 'add_offset']) },
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
  const number = numberOf(item);
  if (number !== undefined || typeof item !== 'string') return number;
  const isEncoded = zarrFormat === 3 && attribute === '_FillValue' && dtype.name.startsWith('float');
  return isEncoded ? floatOfBase64(item) : undefined;
}

function wordOf(attribute: JsonValue | undefined): string | undefined {
  return typeof attribute === 'string' ? attribute.trim().toLowerCase() : undefined;
}

/** NetCDF's way to types that its classic format has not: what `_Unsigned` makes of a type. */
export function unsignedType(name: RealName, attribute: JsonValue | undefined): RealName {
  const wanted = typeof attribute === 'boolean' ? String(attribute) : wordOf(attribute);
  switch (name) {
    case 'int8':
      return wanted === 'true' ? 'uint8' : name;
    case 'int16':
      return wanted === 'true' ? 'uint16' : name;
    case 'int32':
      return wanted === 'true' ? 'uint32' : name;
    case 'int64':
      return wanted === 'true' ? 'uint64' : name;
    case 'uint8':
      return wanted === 'false' ? 'int8' : name;
    case 'uint16':
      return wanted === 'false' ? 'int16' : name;
    case 'uint32':
      return wanted === 'false' ? 'int32' : name;
    case 'uint64':
      return wanted === 'false' ? 'int64' : name;
    case 'float16':
    case 'float32':
    case 'float64':
      return name;
  }
}

function parseFactor(variable: StoredVariable, attribute: 'scale_factor' | 'add_offset'): number | undefined {
  const json = variable.attributes[attribute];
  if (json === undefined || json === null) return undefined;
  const [item, ...others] = itemsOf(json);
  if ((typeof item !== 'number' && typeof item !== 'bigint') || others.length > 0)
    throw badAttribute(variable.name, attribute, json, 'expected a number');
  return Number(item);
}

/** Bounds are of the packed values, unless no packed value could be one (NetCDF Users' Guide, "Attribute Conventions"). */
function boundsArePacked({ min, max }: ValidRange, source: RealName, factor: number | undefined): boolean {
  if (factor === undefined || integerBounds(source) === undefined) return true;
  return [min, max].every((bound) => !Number.isFinite(bound) || storedNumber(bound, source) !== undefined);
}

function taken(attributes: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = attributes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * The type of unpacked values, as xarray chooses it: float64 where there is a scale or an offset, since JSON does not say
 * of which type they are. Floats whose only missing value is NaN keep their type and are scaled in it.
 */
export function unpackedType(packing: Packing): RealName {
  const { source, hasMissing, hasOnlyNaNMissing } = packing;
  const bounds = integerBounds(source);
  if (isScaled(packing)) return hasOnlyNaNMissing && bounds === undefined ? source : 'float64';
  if (!hasMissing || bounds === undefined) return source;
  return bounds.bits <= 16 ? 'float32' : 'float64';
}

export function isScaled({ scale, offset }: Packing): boolean {
  return scale !== undefined || offset !== undefined;
}

/** Unpacked values, NaN where they are missing. */
export function unpack(stored: Block, packing: Packing, as: 'float32' | 'float64'): Floats {
  const { source, missing, scale, offset, packedRange, unpackedRange } = packing;
  const block = asType(stored, source);
  const floats = toFloats(block, source, as);
  const longs = longsOf(block, packing);
  if (longs === undefined) maskEqual(floats, missing.map(Number));
  else for (const value of missing) maskEqualLongs(floats, wordsOf(longs), BigInt(value));
  if (packedRange !== undefined) maskOutside(floats, packedRange.min, packedRange.max);
  scaleAndShift(floats, scale, offset);
  if (unpackedRange !== undefined) maskOutside(floats, unpackedRange.min, unpackedRange.max);
  return floats;
}

/** Whether the unpacked values are floats for another reason than missing values among integers. */
export function isUnpackedFloat(packing: Packing): boolean {
  return integerBounds(packing.source) === undefined || isScaled(packing);
}

/** The packed values where floats cannot hold them all: integers of 64 bits. */
export function longsOf(stored: Block, { source }: Packing): BigInt64Array | BigUint64Array | undefined {
  if (source !== 'int64' && source !== 'uint64') return undefined;
  return dataOf(asType(stored, source), source);
}

/** The same bytes read as another type of the same size. */
export function asType(block: Block, name: RealName): Block {
  if (!('bytes' in block) || block.dtype.name === name) return block;
  return { dtype: { name, itemSize: block.dtype.itemSize }, shape: block.shape, bytes: block.bytes };
}
