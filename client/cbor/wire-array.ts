/** Values on a grid as RFC 8746 has them, before their data type is looked at. */

/** The bytes of a typed array (RFC 8746, section 2.1): a view of the answer, at any offset. */
export class TypedBytes {
  /** Kind and width of an element; everything is little-endian. */
  readonly element: ElementName;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(element: ElementName, bytes: Uint8Array<ArrayBuffer>) {
    this.element = element;
    this.bytes = bytes;
  }
}

/** Tag 40 (RFC 8746, section 3.1.1), C order: typed bytes, or a list with one item a value. */
export class WireArray {
  readonly shape: readonly number[];
  readonly values: TypedBytes | readonly unknown[];

  constructor(shape: readonly number[], values: TypedBytes | readonly unknown[]) {
    this.shape = shape;
    this.values = values;
  }
}

export type ElementName =
  | 'uint8' | 'uint16' | 'uint32' | 'uint64' | 'int8' | 'int16' | 'int32' | 'int64'
  | 'float16' | 'float32' | 'float64'; // prettier-ignore

export function elementBytes(element: ElementName): number {
  return Number(/\d+/.exec(element)) / 8;
}

/** Tag -> element; the tags of big-endian numbers are not used by gateways. */
export const typedArrayTags: ReadonlyMap<number, ElementName> = new Map<number, ElementName>([
  [64, 'uint8'], [69, 'uint16'], [70, 'uint32'], [71, 'uint64'],
  [72, 'int8'], [77, 'int16'], [78, 'int32'], [79, 'int64'],
  [84, 'float16'], [85, 'float32'], [86, 'float64'],
]); // prettier-ignore

export const ndArrayTag = 40;
