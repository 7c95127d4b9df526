/**
 * Writes values of each data type as CBOR (RFC 8746, section 3.1.1): first the head, then the contents in
 * parts.
 */
import { sizeOf, UnsupportedError } from '../../zarr/index.js';
import { isBlock } from '../block-part.js';
import { major } from '../../../wire/cbor/head.js';
import { ARRAY_TAG, elementTags } from '../../../wire/cbor/typed-array-tags.js';
import type { CborWriter } from '../../../wire/cbor/writer.js';
import { elementOf, isComplexName } from '../../../wire/data-types.js';
import { wireRow } from '../values/wire-rows.js';
import { RawBytes } from './encoded.js';
import { ValueRun } from './value-run.js';

/** Writes the head. @returns the values to write after it */
export function openRun(writer: CborWriter, run: ValueRun): Iterator<unknown> {
  const { dtype } = run;
  if (dtype.name === 'struct') {
    writer.head(major.map, dtype.fields.length);
    return dtype.fields.flatMap((field) => [field.name, run.field(field)]).values();
  }
  const element = elementOf(dtype.name);
  if (element === undefined) return openItems(writer, run);
  openArray(writer, isComplexName(dtype.name) ? [...run.shape, 2] : run.shape);
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
  const row = wireRow(run.dtype.name);
  if (row?.cbor === undefined)
    throw new UnsupportedError(`data type ${run.dtype.name} cannot be written as CBOR`);
  for (const part of run.parts())
    for (const item of row.cbor(part)) yield isBlock(item) ? new ValueRun(item) : item;
}
