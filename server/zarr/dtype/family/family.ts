/**
 * The engine's operations on data types. Each family of data types has one file in this folder, with its
 * names in Zarr v3 metadata and its traits. NumPy's names, which the client reads too, are in
 * `wire/numpy-type.ts`. `families.ts` lists the families.
 */
import type { JsonObject, JsonValue } from '../../bytes/json.js';
import type { ByteSwap } from '../byte-order.js';
import type { DataType } from '../data-type.js';
import type { FillContext } from '../fill-context.js';
import type { PlaceOf } from '../pack-numbers.js';
import type { Nesting } from '../struct-bounds.js';

export interface Family {
  /** Names in Zarr v3 metadata, and display names of data types that only formats 1 and 2 have. */
  readonly names: readonly string[];
  /**
   * @returns undefined for a name of another family
   * @throws MetadataError for an invalid configuration
   */
  parseV3(type: V3Type): DataType | undefined;
}

/** A data type in Zarr v3 metadata: a name, or { name, configuration }. */
export interface V3Type {
  readonly name: string;
  /** Empty if the metadata has no configuration. */
  readonly configuration: JsonObject;
  /** The whole metadata of the data type. */
  readonly json: JsonValue;
  /** Its location in the document, for errors. */
  readonly at: string;
  readonly nesting: Nesting;
  /** Parses the data type of a field. @throws MetadataError */
  readonly parseField: (json: JsonValue, at: string, nesting: Nesting) => DataType;
}

interface Traits {
  /** The data type in v3 metadata. @throws UnsupportedError if v3 cannot represent it */
  v3Json(): JsonValue;
  /** Which lists within nested lists are single values: none, byte arrays, or any. */
  readonly listValues: 'none' | 'bytes' | 'any';
  /** Whether values of another data type can be written as this type, provided that each value fits. */
  castsFrom(other: DataType): boolean;
}

/** A type whose values all take `itemSize` bytes: little-endian and packed in memory. */
export interface FixedTraits extends Traits {
  /** The parts of a big-endian item to reverse. */
  swaps(): readonly ByteSwap[];
  /** The meaning of a null fill value in v1 and v2 metadata. */
  undefinedFill(): Uint8Array;
  /** @throws MetadataError if it is not a value of the type */
  parseFill(json: JsonValue, context: FillContext): Uint8Array;
  printFill(bytes: Uint8Array, format: 2 | 3): JsonValue;
  /**
   * Converts JavaScript values to consecutive bytes. Structs are packed field by field instead
   * (`pack-struct.ts`).
   * @throws InputError naming the position of the value
   */
  pack(values: ArrayLike<unknown>, place: PlaceOf): Uint8Array;
  /** One value, as in `ScalarTypes`. @param item the bytes of the value */
  valueOf(item: Uint8Array): unknown;
}

/** A type whose values are contents of any length. */
export interface VariableTraits extends Traits {
  /** The value of absent chunks if the metadata has no fill value. */
  emptyItem(): unknown;
  /** @throws MetadataError if it is not a value of the type */
  parseFill(json: JsonValue, context: FillContext): unknown;
  /** Converts a caller's value. @throws InputError naming the position of the value */
  pack(value: unknown, place: string): Uint8Array | null;
  /** The value of stored contents, as in `ScalarTypes`. */
  valueOf(contents: Uint8Array): unknown;
  /** The inverse of `valueOf`; null for a missing value. @throws InputError for a value of another type */
  contentsOf(value: unknown): Uint8Array | null;
  /** Whether different contents may represent the same value. */
  readonly comparesValues: boolean;
}
