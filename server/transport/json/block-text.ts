/**
 * Writes a block as JSON, in pieces: nested lists of elements; a struct as an object with one nested list per
 * field.
 */
import { type Block, UnsupportedError } from '../../zarr/index.js';
import { isBlock, structFieldBlock } from '../block-part.js';
import { wireRow } from '../values/wire-rows.js';
import { listText, type SegmentText } from './list-text.js';
import { valueText } from './value-text.js';
import type { NonFinite } from './number-text.js';

export function* blockText(block: Block, nonFinite: NonFinite): Generator<string> {
  if (!('bytes' in block) || block.dtype.name !== 'struct') {
    yield* listText(block.shape, elementText(block, nonFinite));
    return;
  }
  yield '{';
  for (const [i, field] of block.dtype.fields.entries()) {
    yield `${i > 0 ? ',' : ''}${JSON.stringify(field.name)}:`;
    yield* blockText(structFieldBlock(block, field), nonFinite);
  }
  yield '}';
}

/** Chooses the writer of elements by data type, never by value. */
export function elementText(block: Block, nonFinite: NonFinite): SegmentText {
  const row = wireRow(block.dtype.name);
  if (row === undefined)
    throw new UnsupportedError(`data type ${block.dtype.name} cannot be written as lists`);
  return row.json(block, nonFinite, (item) => itemText(item, nonFinite));
}

/** An item of a ragged array is itself a list. */
export function itemText(item: unknown, nonFinite: NonFinite): string {
  return isBlock(item) ? [...blockText(item, nonFinite)].join('') : valueText(item);
}
