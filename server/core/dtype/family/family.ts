/**
 * The engine's operations on data types. Each family of data types has a file in this folder, with its names
 * in Zarr v3 metadata and its traits. NumPy's names, which the client reads too, are in `wire/numpy-type.ts`;
 * NumPy's notation of structs is in `struct-numpy.ts`. `families.ts` lists the families.
 */
import { fixedItemSize } from '../data-type.js';
import { sizeOf } from '../../bytes/shape.js';
import type { NumberArrayType } from '../../../../wire/data-types.js';
import { describeJson } from '../../bytes/print-json.js';
import type { JsonObject, JsonValue } from '../../bytes/json.js';
import { MetadataError, UnsupportedError } from '../../errors.js';
import { type ByteSwap } from '../byte-order.js';
import type { DataType, Block } from '../data-type.js';
import type { PositionText } from '../pack-numbers.js';
import type { Nesting } from './struct-numpy.js';

export interface Family {
  /** Names in Zarr v3 metadata, and display names of data types that only formats 1 and 2 have. */
  readonly names: readonly string[];
  /**
   * @returns undefined for a name of another family
   * @throws MetadataError for an invalid configuration; LimitError for too many fields
   */
  parseV3(type: V3Type): DataType | undefined;
}

/** A data type in Zarr v3 metadata: a name, or { name, configuration }. */
export interface V3Type {
  readonly name: string;
  /** The configuration; empty if the metadata has none. */
  readonly configuration: JsonObject;
  /** The whole metadata of the data type. */
  readonly json: JsonValue;
  /** Location of the data type in the document, for errors. */
  readonly at: string;
  readonly nesting: Nesting;
  /** Parses the data type of a field. @throws MetadataError for an invalid data type */
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
  /** The parts of a big-endian element to reverse. */
  swaps(): readonly ByteSwap[];
  /** The meaning of a null fill value in v1 and v2 metadata. */
  undefinedFill(): Uint8Array;
  /** Parses a fill value. @throws MetadataError if it is not a value of the type */
  parseFill(json: JsonValue, context: FillContext): Uint8Array;
  printFill(bytes: Uint8Array, format: 2 | 3): JsonValue;
  /**
   * Converts JavaScript values to consecutive bytes. Structs are packed field by field instead
   * (`pack-struct.ts`).
   * @throws InputError naming the position of the value
   */
  pack(values: ArrayLike<unknown>, position: PositionText): Uint8Array;
  /** Converts the bytes of one value to the value, as in `ScalarTypes`. */
  valueOf(item: Uint8Array): unknown;
}

/** A type whose values are contents of any length. */
export interface VariableTraits extends Traits {
  /** The value of absent chunks if the metadata has no fill value. */
  emptyItem(): unknown;
  /** Parses a fill value. @throws MetadataError if it is not a value of the type */
  parseFill(json: JsonValue, context: FillContext): unknown;
  /** Converts a caller's value. @throws InputError naming the position of the value */
  pack(value: unknown, position: string): Uint8Array | null;
  /** Converts stored contents to the value, as in `ScalarTypes`. */
  valueOf(contents: Uint8Array): unknown;
  /** The inverse of `valueOf`; null for a missing value. @throws InputError for a value of another type */
  contentsOf(value: unknown): Uint8Array | null;
  /** Whether different contents may represent the same value. */
  readonly comparesValues: boolean;
}

export interface FillContext {
  /** The version of the format. For versions 1 and 2, further forms in existing files are accepted. */
  readonly format: 1 | 2 | 3;
  /** Location of the value: `fill_value`, or a field within it. */
  readonly at: string;
  /** Name of the data type. */
  readonly type: string;
}

export function badFill(
  json: JsonValue | undefined,
  wanted: string,
  { at, type }: FillContext,
): MetadataError {
  return new MetadataError(`${at} is ${describeJson(json)}; for the data type ${type} it must be ${wanted}`);
}

/** @throws MetadataError if the configuration has an option */
export function refuseConfiguration(configuration: JsonObject, name: string, at: string): void {
  const [option] = Object.keys(configuration);
  if (option !== undefined)
    throw new MetadataError(`${at} "${name}" accepts no configuration, but has ${JSON.stringify(option)}`);
}

/** The registered name of a data type, given that name or an alias. */
export function canonicalName(name: string, aliases: Readonly<Record<string, string>>): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/** A view of the bytes of a block if they are aligned, otherwise of a copy. */
export function viewAs<T>(View: NumberArrayType<T>): (block: Block) => T {
  return (block) => viewBytes(View, blockBytes(block));
}

export function viewBytes<T>(View: NumberArrayType<T>, bytes: Uint8Array): T {
  const unit = View.BYTES_PER_ELEMENT;
  // Does not use `slice`, which returns a view for a Buffer.
  const { buffer, byteOffset, length } = bytes.byteOffset % unit === 0 ? bytes : new Uint8Array(bytes);
  return new View(buffer, byteOffset, Math.floor(length / unit));
}

/** Reads one value per `itemSize` bytes. */
export function mapItems<T>(block: Block, read: (item: Uint8Array) => T): T[] {
  const bytes = blockBytes(block);
  const size = fixedItemSize(block.dtype);
  return Array.from({ length: sizeOf(block.shape) }, (_, i) =>
    read(bytes.subarray(i * size, (i + 1) * size)),
  );
}

/** @throws UnsupportedError for a data type of variable length */
function blockBytes(block: Block): Uint8Array {
  if ('bytes' in block) return block.bytes;
  throw new UnsupportedError(`values of type ${block.dtype.name} are not numbers`);
}
