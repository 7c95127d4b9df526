/** Writes a GraphQL result as CBOR, in pieces. Numbers of an NDArray are passed on as views of the block. */
import { encodeCbor } from '../../../wire/cbor/encode.js';
import { major, tags } from '../../../wire/cbor/head.js';
import type { CborWriter } from '../../../wire/cbor/writer.js';
import { Base64Text } from '../base64-text.js';
import { NDArrayValue } from '../nd-array-value.js';
import { RawBytes, Utf8Text } from './encoded.js';
import { openRun } from './run-children.js';
import { SharedArrays } from './shared-arrays.js';
import { ValueRun } from './value-run.js';

/**
 * Pieces to concatenate. The caller may yield to the event loop between two pieces.
 * @param sharesArrays whether equal arrays are written once
 */
export function resultCbor(
  result: unknown,
  { sharesArrays = false }: { readonly sharesArrays?: boolean } = {},
): Generator<Uint8Array> {
  const shared = sharesArrays ? new SharedArrays() : undefined;
  return encodeCbor(result, (writer, value) => openValue(writer, value, shared));
}

function openValue(
  writer: CborWriter,
  value: object,
  shared: SharedArrays | undefined,
): Iterator<unknown> | true | undefined {
  if (value instanceof NDArrayValue) return openArray(writer, new ValueRun(value.block), shared);
  if (value instanceof ValueRun) return openRun(writer, value);
  if (value instanceof RawBytes) {
    writer.bytes(value.bytes);
    return true;
  }
  if (value instanceof Utf8Text) {
    writer.utf8(value.bytes);
    return true;
  }
  if (!(value instanceof Base64Text)) return undefined;
  writer.head(major.text, 4 * Math.ceil(value.bytes.length / 3));
  return base64Parts(value);
}

function openArray(
  writer: CborWriter,
  run: ValueRun,
  shared: SharedArrays | undefined,
): Iterator<unknown> | true {
  const place = shared?.placeOf(run);
  if (place === undefined) return openRun(writer, run);
  writer.head(major.tag, place === 'new' ? tags.shareable : tags.reference);
  if (place === 'new') return openRun(writer, run);
  writer.integer(place);
  return true;
}

function* base64Parts(text: Base64Text): Generator<RawBytes> {
  for (const piece of text.pieces()) yield new RawBytes(Buffer.from(piece, 'latin1'));
}
