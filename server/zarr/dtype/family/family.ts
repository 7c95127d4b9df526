/**
 * What the engine does with a data type, beyond knowing its size. Each family of types has one file here with its names
 * in Zarr v3 metadata and its traits; NumPy's names, which the client reads as well, are in `wire/numpy-type.ts`.
 * `families.ts` lists the families.
 */
import type { JsonObject, JsonValue } from '../../bytes/json.js';
import type { ByteSwap } from '../byte-order.js';
import type { DataType } from '../data-type.js';
import type { FillContext } from '../fill-context.js';
import type { PlaceOf } from '../pack-numbers.js';
import type { Nesting } from '../struct-bounds.js';

export interface Family {
  /** Names in Zarr v3 metadata, and those of types that only formats 1 and 2 have, for people. */
  readonly names: readonly string[];
  /**
   * @returns undefined for a name of another family
   * @throws MetadataError for a wrong configuration
   */
  parseV3(type: V3Type): DataType | undefined;
}

/** A data type in Zarr v3 metadata: a name, or { name, configuration }. */
export interface V3Type {
  readonly name: string;
  /** Empty if there is none. */
  readonly configuration: JsonObject;
  /** All of it. */
  readonly json: JsonValue;
  /** Its location in the document, for errors. */
  readonly at: string;
  readonly nesting: Nesting;
  /** Parses the type of a field. @throws MetadataError */
  readonly parseField: (json: JsonValue, at: string, nesting: Nesting) => DataType;
}

interface Traits {
  /** The type as v3 metadata write it. @throws UnsupportedError if v3 has no form for it */
  v3Json(): JsonValue;
  /** Which lists are single values, in nested lists of values: none, byte arrays, or any. */
  readonly listValues: 'none' | 'bytes' | 'any';
  /** Whether values of another type can be written as this one, as far as each of them fits. */
  castsFrom(other: DataType): boolean;
}

/** A type whose values all take `itemSize` bytes: little-endian and packed in memory. */
export interface FixedTraits extends Traits {
  /** The parts of an item that are reversed if it is big-endian throughout. */
  swaps(): readonly ByteSwap[];
  /** The fill value that v1 and v2 metadata mean by null. */
  undefinedFill(): Uint8Array;
  /** @throws MetadataError if it is not a value of the type */
  parseFill(json: JsonValue, context: FillContext): Uint8Array;
  printFill(bytes: Uint8Array, format: 2 | 3): JsonValue;
  /**
   * JavaScript values to bytes, one after the other. Structs are packed field by field instead (`pack-struct.ts`).
   * @throws InputError that names the place of the value
   */
  pack(values: ArrayLike<unknown>, place: PlaceOf): Uint8Array;
  /** One value, as `ScalarTypes` has it. @param item its bytes */
  valueOf(item: Uint8Array): unknown;
}

/** A type whose values are contents of any length. */
export interface VariableTraits extends Traits {
  /** The value where nothing is stored and no fill value is given. */
  emptyItem(): unknown;
  /** @throws MetadataError if it is not a value of the type */
  parseFill(json: JsonValue, context: FillContext): unknown;
  /** Values from a caller. @throws InputError that names the place of the value */
  pack(value: unknown, place: string): Uint8Array | null;
  /** The value that stored contents mean, as `ScalarTypes` has it. */
  valueOf(contents: Uint8Array): unknown;
  /** The inverse, for values of the engine; null for a missing value. @throws InputError for a value of another type */
  contentsOf(value: unknown): Uint8Array | null;
  /** Whether contents that differ may still be the same value. */
  readonly comparesValues: boolean;
}
