/**
 * numcodecs' `vlen-utf8` and `vlen-bytes`, which v3 registers for the data types `string` and
 * `variable_length_bytes` (`bytes`). As in numcodecs, null is stored as an empty item and read as an empty
 * value.
 */
import type { Items } from '../../bytes/items.js';
import { sizeOf } from '../../bytes/shape.js';
import { isUtf8 } from '../../bytes/text.js';
import type { TypeName } from '../../dtype/data-type.js';
import { CodecError, InputError, MetadataError } from '../../errors.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { checkOptions } from '../configuration.js';
import { atMost } from '../size.js';
import { readFrames, writeFrames } from './vlen-frames.js';

export const vlenUtf8Codec = vlenCodec('vlen-utf8', 'string', ({ bytes, starts, lengths }) => {
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] ?? 0;
    if (!isUtf8(bytes, start, start + (lengths[i] ?? 0)))
      throw new CodecError(`codec "vlen-utf8": item ${i} is not UTF-8`);
  }
});

export const vlenBytesCodec = vlenCodec('vlen-bytes', 'variable_length_bytes', () => undefined);

/** @param check throws for items that the data type cannot represent */
function vlenCodec(name: string, type: TypeName, check: (items: Items) => void): ArrayToBytesCodec {
  return {
    kind: 'array-to-bytes',
    name,
    create(configuration, rep) {
      checkOptions(name, configuration, []);
      checkType(name, rep, type);
      return {
        encodedSize: atMost(Infinity),
        decode(bytes, limit) {
          const items = readFrames(name, bytes, sizeOf(rep.shape), limit);
          check(items);
          return { items };
        },
        encode: (values) => writeFrames(name, itemsOf(name, values, rep)),
      };
    },
  };
}

/** @throws MetadataError if the codec does not support the data type of its input */
export function checkType(codec: string, rep: ChunkRep, ...names: readonly TypeName[]): void {
  if (names.includes(rep.dtype.name)) return;
  throw new MetadataError(
    `codec "${codec}" requires data type ${names.join(' or ')}, but its input is ${rep.dtype.name}`,
  );
}

/** The items to encode. @throws InputError if their number differs from the chunk's */
export function itemsOf(codec: string, values: ChunkValues, rep: ChunkRep): Items {
  const expected = sizeOf(rep.shape);
  const found = 'items' in values ? values.items.lengths.length : 0;
  if ('items' in values && found === expected) return values.items;
  throw new InputError(`codec "${codec}": got ${found} items; expected ${expected}`);
}
