/**
 * Writes a block as JSON, in pieces: nested lists of elements; a struct as an object with one nested list per
 * field.
 */
import { type Block, dataOf, formatDatetimes, UnsupportedError } from '../../zarr/index.js';
import { blockPart, isBlock } from '../block-part.js';
import {
  base64Item,
  base64Pieces,
  createByteText,
  itemSegments,
  textPieces,
  timeSegments,
  variableSegments,
} from './item-text.js';
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

/** Chooses how elements are written by data type alone, never by value. */
export function elementText(block: Block, nonFinite: NonFinite): SegmentText {
  const { dtype } = block;
  switch (dtype.name) {
    case 'bool':
      return boolSegments(dataOf(block, dtype.name));
    case 'int8':
    case 'int16':
    case 'int32':
    case 'uint8':
    case 'uint16':
    case 'uint32':
      return integerSegments(dataOf(block, dtype.name));
    case 'int64':
    case 'uint64':
      return longSegments(dataOf(block, dtype.name));
    case 'float16':
    case 'float32':
    case 'float64':
      return floatSegments(dataOf(block, dtype.name), nonFinite);
    case 'complex64':
    case 'complex128':
      return complexSegments(dataOf(block, dtype.name), nonFinite);
    case 'numpy.datetime64': {
      const counts = dataOf(block, dtype.name);
      return itemSegments((from, to) => formatDatetimes(counts.subarray(from, to), dtype), JSON.stringify);
    }
    case 'numpy.timedelta64':
      return timeSegments(dataOf(block, dtype.name));
    case 'null_terminated_bytes': {
      const { name } = dtype;
      return itemSegments((from, to) => dataOf(blockPart(block, from, to), name), createByteText());
    }
    case 'raw_bytes':
    case 'raw_bits': {
      const { name } = dtype;
      return itemSegments((from, to) => dataOf(blockPart(block, from, to), name), base64Item);
    }
    case 'fixed_length_utf32': {
      const { name } = dtype;
      return itemSegments((from, to) => dataOf(blockPart(block, from, to), name), JSON.stringify);
    }
    case 'variable_length_bytes':
      return variableSegments(
        block,
        (item) => (item instanceof Uint8Array ? base64Item(item) : valueText(item)),
        base64Pieces,
      );
    case 'string':
      return variableSegments(block, JSON.stringify, textPieces);
    case 'json':
      return variableSegments(block, valueText);
    case 'ragged':
      return variableSegments(block, (item) => raggedText(item, nonFinite));
    case 'struct':
      throw new UnsupportedError(`data type ${dtype.name} cannot be written as lists`);
  }
}

/** An item of a ragged array is itself a list. */
function raggedText(item: unknown, nonFinite: NonFinite): string {
  return isBlock(item) ? [...blockText(item, nonFinite)].join('') : valueText(item);
}
