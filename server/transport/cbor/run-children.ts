/**
 * Writes the values of each data type as CBOR (RFC 8746, section 3.1.1): the head first, then the contents in
 * parts.
 */
import {
  type Block,
  contentsAt,
  type DataType,
  dataOf,
  elementAt,
  sizeOf,
  UnsupportedError,
} from '../../zarr/index.js';
import { isBlock } from '../block-part.js';
import { major } from '../../../wire/cbor/head.js';
import { ARRAY_TAG, elementTags } from '../../../wire/cbor/typed-array-tags.js';
import type { CborWriter } from '../../../wire/cbor/writer.js';
import { elementOf } from '../../../wire/data-types.js';
import { ValueRun } from './value-run.js';

/** Bytes within a byte string or text whose head is already written. */
export class RawBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** A text that is already encoded as UTF-8, without its head. */
export class Utf8Text {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Writes the head. @returns the values to write after it */
export function openRun(writer: CborWriter, run: ValueRun): Iterator<unknown> {
  const { dtype } = run;
  if (dtype.name === 'struct') {
    writer.head(major.map, dtype.fields.length);
    return dtype.fields.flatMap((field) => [field.name, run.field(field)]).values();
  }
  const element = elementOf(dtype.name);
  if (element === undefined) return openItems(writer, run);
  const isComplex = dtype.name === 'complex64' || dtype.name === 'complex128';
  openArray(writer, isComplex ? [...run.shape, 2] : run.shape);
  writer.head(major.tag, elementTags[element]);
  writer.head(major.bytes, sizeOf(run.shape) * (dtype.itemSize ?? 0));
  if (run.bytes === undefined) return numberParts(run);
  writer.bytes(run.bytes);
  return [].values();
}

function openArray(writer: CborWriter, shape: readonly number[]): void {
  writer.head(major.tag, ARRAY_TAG);
  writer.head(major.list, 2);
  writer.head(major.list, shape.length);
  for (const length of shape) writer.integer(length);
}

function* numberParts(run: ValueRun): Generator<RawBytes> {
  for (const part of run.parts()) if ('bytes' in part) yield new RawBytes(part.bytes);
}

function openItems(writer: CborWriter, run: ValueRun): Iterator<unknown> {
  openArray(writer, run.shape);
  writer.head(major.list, sizeOf(run.shape));
  return items(run);
}

function* items(run: ValueRun): Generator<unknown> {
  for (const part of run.parts()) {
    if ('items' in part) yield* variableItems(part);
    else yield* itemsOf(part, run.dtype);
  }
}

/** Text and bytes as stored in the block, other items one at a time. A missing item is null. */
function* variableItems(block: Extract<Block, { readonly items: unknown }>): Generator<unknown> {
  const { items: found, dtype } = block;
  for (let i = 0; i < found.lengths.length; i++) {
    const contents = contentsAt(found, i);
    if (contents === null || dtype.name === 'variable_length_bytes') yield contents;
    else if (dtype.name === 'string') yield new Utf8Text(contents);
    else {
      const item = elementAt(block, i);
      yield isBlock(item) ? new ValueRun(item) : item;
    }
  }
}

/** Text and byte strings of a fixed size. */
function itemsOf(part: Block, { name }: DataType): Iterable<unknown> {
  switch (name) {
    case 'null_terminated_bytes':
    case 'raw_bytes':
    case 'raw_bits':
    case 'fixed_length_utf32':
      return dataOf(part, name);
    default:
      throw new UnsupportedError(`data type ${name} cannot be written as CBOR`);
  }
}
