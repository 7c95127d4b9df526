/**
 * What the engine does with a data type, beyond knowing its size. Each family of types has one file here that returns
 * this for a type; `families.ts` picks the family, and is the only place that tells them apart.
 */
import type { JsonValue } from '../../bytes/json.js';
import type { ByteSwap } from '../byte-order.js';
import type { FillContext } from '../fill-context.js';
import type { PlaceOf } from '../pack-numbers.js';

interface Traits {
  /** The type as v3 metadata write it. @throws UnsupportedError if v3 has no form for it */
  v3Json(): JsonValue;
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
}

/** A type whose values are contents of any length; `item-values.ts` says what the contents mean. */
export interface VariableTraits extends Traits {
  /** The value where nothing is stored and no fill value is given. */
  emptyItem(): unknown;
  /** @throws MetadataError if it is not a value of the type */
  parseFill(json: JsonValue, context: FillContext): unknown;
  /** @throws InputError that names the place of the value */
  pack(value: unknown, place: string): Uint8Array | null;
}
