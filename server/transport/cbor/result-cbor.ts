/**
 * Writes a GraphQL result as CBOR, in pieces. Numbers of an NDArray are passed on as views of the block. Writes
 * values of each data type as CBOR (RFC 8746, section 3.1.1): first the head, then the contents in parts.
 */
import { encodeCbor } from '../../../wire/cbor/encode.js';
import { major, tags } from '../../../wire/cbor/head.js';
import { ARRAY_TAG, elementTags } from '../../../wire/cbor/typed-arrays.js';
import type { CborWriter } from '../../../wire/cbor/writer.js';
import { elementOf, isComplexName } from '../../../wire/data-types.js';
import { fixedItemSize, sizeOf, UnsupportedError } from '../../zarr/index.js';
import { Base64Text } from '../base64-text.js';
import { isBlock } from '../block-part.js';
import { JsonText } from '../json/json-text.js';
import { NDArrayValue } from '../nd-array-value.js';
import { wireRow } from '../values/wire-rows.js';
import { RawBytes, Utf8Text, ValueRun } from './value-run.js';
import { SharedArrays } from './shared-arrays.js';

/**
 * Pieces to concatenate. The caller may yield to the event loop between two pieces.
 * @param sharesArrays whether equal arrays of numbers are written once if they have a suitable size
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
  if (value instanceof JsonText) return [value.toJSON()].values();
  if (!(value instanceof Base64Text)) return undefined;
  writer.head(major.text, Base64Text.lengthOf(value.bytes.length));
  return base64Parts(value);
}

function openArray(
  writer: CborWriter,
  run: ValueRun,
  shared: SharedArrays | undefined,
): Iterator<unknown> | true {
  const index = shared?.indexOf(run);
  if (index === undefined) return openRun(writer, run);
  writer.head(major.tag, index === 'new' ? tags.shareable : tags.reference);
  if (index === 'new') return openRun(writer, run);
  writer.integer(index);
  return true;
}

function* base64Parts(text: Base64Text): Generator<RawBytes> {
  for (const part of text.parts())
    yield new RawBytes(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
}

/** Writes the head. @returns the values to write after it */
function openRun(writer: CborWriter, run: ValueRun): Iterator<unknown> {
  const { dtype } = run;
  if (dtype.name === 'struct') {
    writer.head(major.map, dtype.fields.length);
    return dtype.fields.flatMap((field) => [field.name, run.field(field)]).values();
  }
  const element = elementOf(dtype.name);
  if (element === undefined) return openItems(writer, run);
  openTypedArray(writer, isComplexName(dtype.name) ? [...run.shape, 2] : run.shape);
  writer.head(major.tag, elementTags[element]);
  writer.head(major.bytes, sizeOf(run.shape) * fixedItemSize(dtype));
  if (run.bytes === undefined) return numberParts(run);
  writer.bytes(run.bytes);
  return [].values();
}

function openTypedArray(writer: CborWriter, shape: readonly number[]): void {
  writer.head(major.tag, ARRAY_TAG);
  writer.head(major.list, 2);
  writer.head(major.list, shape.length);
  for (const length of shape) writer.integer(length);
}

function* numberParts(run: ValueRun): Generator<RawBytes> {
  for (const part of run.parts()) if ('bytes' in part) yield new RawBytes(part.bytes);
}

function openItems(writer: CborWriter, run: ValueRun): Iterator<unknown> {
  openTypedArray(writer, run.shape);
  writer.head(major.list, sizeOf(run.shape));
  return items(run);
}

function* items(run: ValueRun): Generator<unknown> {
  const row = wireRow(run.dtype.name);
  if (row?.cbor === undefined)
    throw new UnsupportedError(`data type ${run.dtype.name} cannot be written as CBOR`);
  for (const part of run.parts())
    for (const item of row.cbor(part)) yield isBlock(item) ? new ValueRun(item) : item;
}
