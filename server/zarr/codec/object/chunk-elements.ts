/**
 * The elements of a chunk as values, one after the other, for codecs that store them as JSON or MessagePack.
 */
import { contentsAt } from '../../bytes/items.js';
import { toTypedArray } from '../../dtype/arrays.js';
import { isFixedSize, type FixedSizeType } from '../../dtype/data-type.js';
import { itemOfContents } from '../../dtype/item-values.js';
import { jsonTextOf } from '../../dtype/json-contents.js';
import { numpyTypestr } from '../../dtype/names.js';
import { CodecError } from '../../errors.js';
import type { ChunkRep, ChunkValues } from '../codec.js';
import { itemsOf } from './vlen.js';

/** The value, or its JSON text for data type json. */
export type ChunkElement = { readonly value: unknown } | { readonly json: Uint8Array };

export interface ChunkElements {
  /** NumPy's name of the data type. */
  readonly typestr: string;
  /** @param i indices in C order, ascending */
  at(i: number): ChunkElement;
}

/** Number of fixed-size elements that are converted to values at once. */
const BATCH = 4096;

/** @throws InputError if the number of values differs from the chunk's */
export function chunkElements(codec: string, values: ChunkValues, rep: ChunkRep): ChunkElements {
  const { dtype } = rep;
  if (isFixedSize(dtype) && 'bytes' in values) return fixedElements(values.bytes, dtype);
  const items = itemsOf(codec, values, rep);
  return {
    typestr: '|O',
    at(i) {
      const contents = contentsAt(items, i);
      if (contents === null) return { value: null };
      const json = dtype.name === 'json' ? jsonTextOf(contents) : undefined;
      return json === undefined ? { value: itemOfContents(contents, dtype) } : { json };
    },
  };
}

function fixedElements(bytes: Uint8Array, dtype: FixedSizeType): ChunkElements {
  let [first, batch]: [number, ArrayLike<unknown>] = [0, []];
  const isBool = dtype.name === 'bool';
  return {
    typestr: numpyTypestr(dtype) ?? '|O',
    at(i) {
      if (i >= first + batch.length) {
        first = i;
        const part = bytes.subarray(i * dtype.itemSize, (i + BATCH) * dtype.itemSize);
        const count = dtype.itemSize === 0 ? BATCH : part.length / dtype.itemSize;
        batch = toTypedArray({ dtype, shape: [count], bytes: part });
      }
      if (i < first) throw new CodecError('elements must be read in order');
      const value = batch[i - first];
      return { value: isBool ? value !== 0 : value };
    },
  };
}
