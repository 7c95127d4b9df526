/**
 * numcodecs' `vlen-utf8` and `vlen-bytes`, which v3 registers for the types `string` and `variable_length_bytes`
 * (`bytes`). "No value" (null) is stored as an empty item, as numcodecs does; it comes back empty.
 */
import { sizeOf } from '../bytes/shape.js';
import type { TypeName } from '../dtype/data-type.js';
import { CodecError, InputError, MetadataError } from '../errors.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from './codec.js';
import { checkOptions } from './configuration.js';
import { atMost } from './size.js';
import { decodeUtf8, encodeUtf8 } from './text.js';
import { readFrames, writeFrames } from './vlen-frames.js';

const EMPTY = new Uint8Array(0);

export const vlenUtf8Codec: ArrayToBytesCodec<null> = {
  kind: 'array-to-bytes',
  name: 'vlen-utf8',
  parse(configuration, rep) {
    checkOptions('vlen-utf8', configuration, []);
    checkType('vlen-utf8', rep, 'string');
    return null;
  },
  encodedSize: () => atMost(Infinity),

  decode(_configuration, bytes, rep, limit) {
    const items: string[] = [];
    readFrames('vlen-utf8', bytes, sizeOf(rep.shape), limit, (start, end) => {
      try {
        items.push(decodeUtf8(bytes, start, end));
      } catch (cause) {
        throw new CodecError(`codec "vlen-utf8": item ${items.length} is not UTF-8`, { cause });
      }
    });
    return { items };
  },

  encode(_configuration, values, rep) {
    const texts = itemsOf('vlen-utf8', values, rep).map((item, i) => {
      if (item === null || item === undefined) return EMPTY;
      if (typeof item === 'string') return encodeUtf8(item);
      throw new InputError(`codec "vlen-utf8": item ${i} is no text`);
    });
    return writeFrames('vlen-utf8', texts);
  },
};

export const vlenBytesCodec: ArrayToBytesCodec<null> = {
  kind: 'array-to-bytes',
  name: 'vlen-bytes',
  parse(configuration, rep) {
    checkOptions('vlen-bytes', configuration, []);
    checkType('vlen-bytes', rep, 'variable_length_bytes');
    return null;
  },
  encodedSize: () => atMost(Infinity),

  decode(_configuration, bytes, rep, limit) {
    const items: Uint8Array[] = [];
    // The items outlive `bytes`: one copy of all, of which each is a part.
    let kept: Uint8Array | undefined;
    readFrames('vlen-bytes', bytes, sizeOf(rep.shape), limit, (start, end) => {
      kept ??= new Uint8Array(bytes);
      items.push(kept.subarray(start, end));
    });
    return { items };
  },

  encode(_configuration, values, rep) {
    const parts = itemsOf('vlen-bytes', values, rep).map((item, i) => {
      if (item === null || item === undefined) return EMPTY;
      if (item instanceof Uint8Array) return item;
      throw new InputError(`codec "vlen-bytes": item ${i} is no Uint8Array`);
    });
    return writeFrames('vlen-bytes', parts);
  },
};

/** @throws MetadataError where a codec stands before a type that it is not for */
export function checkType(codec: string, rep: ChunkRep, ...names: readonly TypeName[]): void {
  if (names.includes(rep.dtype.name)) return;
  throw new MetadataError(
    `codec "${codec}" stores values of the type ${names.join(' or ')}, not ${rep.dtype.name}`,
  );
}

/** The items to encode. @throws InputError where they do not fill the chunk */
export function itemsOf(codec: string, values: ChunkValues, rep: ChunkRep): readonly unknown[] {
  const expected = sizeOf(rep.shape);
  const items = 'items' in values ? values.items : [];
  if (items.length !== expected)
    throw new InputError(`codec "${codec}": ${items.length} items are given, the chunk takes ${expected}`);
  return items;
}
