/**
 * Decodes request bodies in CBOR to the same values as JSON. Numbers in typed arrays are views of the body.
 */
import { decodeCbor as decode, type CborDecodeOptions } from '../../../wire/cbor/decode.js';
import { TypedBytes, type WireArray } from '../../../wire/cbor/typed-arrays.js';
import { numberTypes } from '../../../wire/data-types.js';
import { formatTypestr } from '../../../wire/numpy-type.js';
import { nest } from '../../../wire/shape.js';
import { InputError, rememberFloat } from '../../zarr/index.js';
import { NDArrayInput } from '../nd-array-value.js';

/** Maximum memory, in bytes, of the decoded values of one body, in addition to the body. */
const MAX_HEAP_BYTES = 2 ** 30;

const options: CborDecodeOptions = {
  maxHeapBytes: MAX_HEAP_BYTES,
  malformed: (why, at) => new InputError(`malformed CBOR in the request body at byte ${at}: ${why}`),
  tooLarge: (bytes) =>
    new InputError(`the decoded request body exceeds ${bytes} bytes of memory; send it in several requests`),
  onWholeFloat: rememberFloat,
  convertArray,
};

/** @throws InputError for malformed CBOR, and for values that need too much memory */
export function decodeCborBody(body: Uint8Array): unknown {
  const { buffer, byteOffset, byteLength } = body;
  return decode(
    buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(body),
    options,
  );
}

/** Converts an array. Numbers remain bytes; other values become nested lists. */
function convertArray({ shape, values }: WireArray): unknown {
  if (!(values instanceof TypedBytes)) return nestedItems(values, shape);
  const { element, bytes } = values;
  const { itemSize } = numberTypes[element];
  return new NDArrayInput(formatTypestr({ name: element, itemSize }), shape, bytes);
}

function nestedItems(items: readonly unknown[], shape: readonly number[]): unknown {
  // Empty lists take no bytes, so the size of the body does not bound their outer dimensions.
  return items.length === 0 ? [] : nest(shape, (i) => items[i]);
}
