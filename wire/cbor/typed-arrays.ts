/**
 * Typed arrays (RFC 8746, section 2: a byte string under one of the tags is a list of numbers) and
 * multi-dimensional arrays (section 3.1.1).
 */
import { isNumberName, numberTypes, type ElementName } from '../data-types.js';

/** A multi-dimensional array in row-major order: [dimensions, values]. */
export const ARRAY_TAG = 40;

/** Tags of little-endian elements, which the gateway and the client write. */
export const elementTags: Readonly<Record<ElementName, number>> = {
  uint8: 64,
  uint16: 69,
  uint32: 70,
  uint64: 71,
  int8: 72,
  int16: 77,
  int32: 78,
  int64: 79,
  float16: 84,
  float32: 85,
  float64: 86,
};

export interface TypedArrayForm {
  readonly element: ElementName;
  readonly itemSize: number;
  readonly isBigEndian: boolean;
}

/** Bit of a tag that means "little-endian"; for uint8, it means "clamped". */
const LITTLE_ENDIAN = 4;

/**
 * Returns the element type and byte order of a tag (RFC 8746, section 2.1).
 * @returns undefined for other tags, and for floats of 128 bits
 */
export function typedArrayForm(tag: number): TypedArrayForm | undefined {
  // Tag 68 is uint8 with clamped arithmetic, whose bytes are the same as those of tag 64.
  const known = tag === 68 ? 64 : tag;
  for (const [name, own] of Object.entries(elementTags)) {
    const itemSize = isNumberName(name) ? numberTypes[name].itemSize : 0;
    const isBigEndian = itemSize > 1 && known === own - LITTLE_ENDIAN;
    if ((known === own || isBigEndian) && isElementName(name))
      return { element: name, itemSize, isBigEndian };
  }
  return undefined;
}

function isElementName(name: string): name is ElementName {
  return Object.hasOwn(elementTags, name);
}

/**
 * The contents of a typed array (RFC 8746, section 2.1): little-endian, usually a view of the message at any
 * offset.
 */
export class TypedBytes {
  readonly element: ElementName;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(element: ElementName, bytes: Uint8Array<ArrayBuffer>) {
    this.element = element;
    this.bytes = bytes;
  }
}

/**
 * Tag 40 (RFC 8746, section 3.1.1): values in C order, as typed bytes or as a list with one item per value.
 */
export class WireArray {
  readonly shape: readonly number[];
  readonly values: TypedBytes | readonly unknown[];

  constructor(shape: readonly number[], values: TypedBytes | readonly unknown[]) {
    this.shape = shape;
    this.values = values;
  }
}
