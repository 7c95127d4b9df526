/** N-dimensional values in CBOR (RFC 8746). */
import type { ElementName } from '../data-types.js';

/** The contents of a typed array (RFC 8746, section 2.1): a view of the message at any offset, little-endian. */
export class TypedBytes {
  readonly element: ElementName;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(element: ElementName, bytes: Uint8Array<ArrayBuffer>) {
    this.element = element;
    this.bytes = bytes;
  }
}

/** Tag 40 (RFC 8746, section 3.1.1): values in C order, as typed bytes or as a list with one item per value. */
export class WireArray {
  readonly shape: readonly number[];
  readonly values: TypedBytes | readonly unknown[];

  constructor(shape: readonly number[], values: TypedBytes | readonly unknown[]) {
    this.shape = shape;
    this.values = values;
  }
}
