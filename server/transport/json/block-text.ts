/** A block as JSON, in pieces: nested lists of elements; a struct as an object with one nested list a field. */
import { type Block, isFixedSize, type NumberName, toTypedArray } from '../../zarr/index.js';
import { listText, type SegmentText } from './list-text.js';
import {
  boolSegments,
  complexSegments,
  floatSegments,
  integerSegments,
  longSegments,
  type NonFinite,
} from './number-text.js';
import { structFieldBlock } from './struct-field.js';
import { valueText } from './value-text.js';

export function* blockText(block: Block, nonFinite: NonFinite): Generator<string> {
  if ('bytes' in block && block.dtype.name === 'struct') {
    let separator = '{';
    for (const field of block.dtype.fields) {
      yield `${separator}${JSON.stringify(field.name)}:`;
      yield* blockText(structFieldBlock(block, field), nonFinite);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
    return;
  }
  yield* listText(block.shape, segmentsOf(block, nonFinite));
}
