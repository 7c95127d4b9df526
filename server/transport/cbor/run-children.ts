/** How values of each data type are written (RFC 8746, section 3.1.1): what comes first, and what follows piece by piece. */
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
import { major } from './head.js';
import type { CborSink } from './sink.js';
import { ARRAY_TAG, tagOfType } from './typed-arrays.js';
import { ValueRun } from './value-run.js';

/** Bytes within a byte string or text whose head is written already. */
export class RawBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** A text in UTF-8, without its head. */
export class Utf8Text {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Writes the beginning. @returns the values to write after it, in their order */
export function openRun(sink: CborSink, run: ValueRun): Iterator<unknown> {
  const { dtype } = run;
  if (dtype.name === 'struct') {
    sink.head(major.map, dtype.fields.length);
    return dtype.fields.flatMap((field) => [field.name, run.field(field)]).values();
  }
  const tag = tagOfType[dtype.name];
  if (tag === undefined) return openItems(sink, run);
  const isComplex = dtype.name === 'complex64' || dtype.name === 'complex128';
  openArray(sink, isComplex ? [...run.shape, 2] : run.shape);
  sink.head(major.tag, tag);
  sink.head(major.bytes, sizeOf(run.shape) * (dtype.itemSize ?? 0));
  if (run.bytes === undefined) return numberParts(run);
  sink.bytes(run.bytes);
  return [].values();
}

function openArray(sink: CborSink, shape: readonly number[]): void {
  sink.head(major.tag, ARRAY_TAG);
  sink.head(major.list, 2);
  sink.head(major.list, shape.length);
  for (const length of shape) sink.integer(length);
}

function* numberParts(run: ValueRun): Generator<RawBytes> {
  for (const part of run.parts()) if ('bytes' in part) yield new RawBytes(part.bytes);
}

function openItems(sink: CborSink, run: ValueRun): Iterator<unknown> {
  openArray(sink, run.shape);
  sink.head(major.list, sizeOf(run.shape));
  return items(run);
}

function* items(run: ValueRun): Generator<unknown> {
  for (const part of run.parts()) {
    if ('items' in part) yield* variableItems(part);
    else yield* itemsOf(part, run.dtype);
  }
}

/** Texts and bytes as they are in the block, others one at a time. What is missing is null. */
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

/** Texts, byte strings of a fixed size. */
function itemsOf(part: Block, { name }: DataType): Iterable<unknown> {
  switch (name) {
    case 'null_terminated_bytes':
    case 'raw_bytes':
    case 'raw_bits':
    case 'fixed_length_utf32':
      return dataOf(part, name);
    default:
      throw new UnsupportedError(`values of the type ${name} cannot be written as CBOR`);
  }
}
