/**
 * Decodes large blocks piece by piece and yields to the event loop in between: a million dates as text take
 * most of a second.
 */
import {
  type Block,
  type YieldToEventLoop,
  contentsAt,
  ItemStore,
  sizeOf,
  sliceItems,
} from '../../zarr/index.js';
import type { Decoding } from './decoding.js';

/** Elements per piece: a few milliseconds of the slowest decoding. */
const PIECE = 2 ** 13;

/**
 * Same result as `decoding.decode` for the whole block.
 * @param yieldToEventLoop called between pieces
 * @throws like `Decoding.decode`; errors of `yieldToEventLoop`
 */
export async function decodeCooperatively(
  decoding: Decoding,
  stored: Block,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Block> {
  const { joinedCharacters } = decoding;
  const shape = joinedCharacters === undefined ? stored.shape : stored.shape.slice(0, -1);
  const count = sizeOf(shape);
  if (decoding.isIdentity || count <= PIECE) return decoding.decode(stored);
  const pieceAt = (start: number): Block =>
    decoding.decode(blockPart(stored, start, Math.min(PIECE, count - start), joinedCharacters));
  const first = pieceAt(0);
  if ('bytes' in first) {
    const { dtype } = first;
    const bytes = new Uint8Array(count * dtype.itemSize);
    bytes.set(first.bytes);
    for (let start = PIECE; start < count; start += PIECE) {
      await yieldToEventLoop();
      const piece = pieceAt(start);
      if ('bytes' in piece) bytes.set(piece.bytes, start * dtype.itemSize);
    }
    return { dtype, shape, bytes };
  }
  const items = new ItemStore(count);
  const place = (piece: Block, start: number): void => {
    if (!('items' in piece)) return;
    for (let i = 0; i < piece.items.lengths.length; i++) items.set(start + i, contentsAt(piece.items, i));
  };
  place(first, 0);
  for (let start = PIECE; start < count; start += PIECE) {
    await yieldToEventLoop();
    place(pieceAt(start), start);
  }
  return { dtype: first.dtype, shape, items };
}

/**
 * A run of elements of a block in C order, as a block of one dimension.
 * @param characters per element, if they are a last dimension
 */
export function blockPart(block: Block, start: number, count: number, characters?: number): Block {
  const shape = characters === undefined ? [count] : [count, characters];
  const [from, to] = [start * (characters ?? 1), (start + count) * (characters ?? 1)];
  if ('items' in block) return { dtype: block.dtype, shape, items: sliceItems(block.items, from, to) };
  const { dtype, bytes } = block;
  return { dtype, shape, bytes: bytes.subarray(from * dtype.itemSize, to * dtype.itemSize) };
}
