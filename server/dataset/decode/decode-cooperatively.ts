/**
 * Decodes large blocks piece by piece and yields to the event loop in between: a million dates as text take
 * most of a second.
 */
import {
  type Block,
  type Pause,
  contentsAt,
  ItemStore,
  MISSING,
  sizeOf,
  sliceItems,
} from '../../zarr/index.js';
import type { VariableDecoding } from './decoding.js';

/**
 * Maximum number of elements per piece, and the number of bytes that a piece may exceed by at most one
 * element. The slowest decoding takes a few milliseconds for a piece.
 */
export const PIECE_ELEMENTS = 2 ** 12;
const PIECE_BYTES = 2 ** 18;

/**
 * Decodes with the same result as `decoding.decode` for the whole block.
 * @param pause called between pieces
 * @throws errors from `Decoding.decode` and `pause`
 */
export async function decodeCooperatively(
  decoding: VariableDecoding,
  stored: Block,
  pause: Pause,
): Promise<Block> {
  const steps = decodeInSteps(decoding, stored);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

/** Decodes with the same result as `decoding.decode` for the whole block. Yields between pieces. */
export function* decodeInSteps(decoding: VariableDecoding, stored: Block): Generator<void, Block, void> {
  const { joinedCharacters } = decoding;
  if (decoding.isIdentity) return stored;
  const shape = joinedCharacters === undefined ? stored.shape : stored.shape.slice(0, -1);
  const count = sizeOf(shape);
  const empty = decoding.decode(blockRun(stored, 0, 0, joinedCharacters));
  if ('bytes' in empty) {
    const { dtype } = empty;
    const bytes = new Uint8Array(count * dtype.itemSize);
    for (const { start, part } of blockPieces(stored, joinedCharacters)) {
      const piece = decoding.decode(part);
      if ('bytes' in piece) bytes.set(piece.bytes, start * dtype.itemSize);
      yield;
    }
    return { dtype, shape, bytes };
  }
  const items = new ItemStore(count);
  for (const { start, part } of blockPieces(stored, joinedCharacters)) {
    const piece = decoding.decode(part);
    if ('items' in piece)
      for (let i = 0; i < piece.items.lengths.length; i++) items.set(start + i, contentsAt(piece.items, i));
    yield;
  }
  return { dtype: empty.dtype, shape, items };
}

/**
 * A block in C order, piece by piece: blocks of one dimension (two with `characters`) with the index of their
 * first element.
 * @param characters per element, if the characters form the last dimension
 */
export function* blockPieces(
  block: Block,
  characters?: number,
): Generator<{ readonly start: number; readonly part: Block }, void, void> {
  const count = sizeOf(characters === undefined ? block.shape : block.shape.slice(0, -1));
  for (let start = 0; start < count;) {
    const size = Math.min(pieceSize(block, start, characters), count - start);
    yield { start, part: blockRun(block, start, size, characters) };
    start += size;
  }
}

function pieceSize(block: Block, start: number, characters = 1): number {
  if ('bytes' in block)
    return Math.min(
      PIECE_ELEMENTS,
      Math.max(1, Math.floor(PIECE_BYTES / (block.dtype.itemSize * characters))),
    );
  const { lengths } = block.items;
  let [size, bytes] = [0, 0];
  while (size < PIECE_ELEMENTS && (size === 0 || bytes < PIECE_BYTES)) {
    const length = lengths[start + size++] ?? MISSING;
    if (length !== MISSING) bytes += length;
  }
  return size;
}

/**
 * A run of elements of a block in C order, as a block of one dimension (two with `characters`).
 * @param characters per element, if the characters form the last dimension
 */
export function blockRun(block: Block, start: number, count: number, characters?: number): Block {
  const shape = characters === undefined ? [count] : [count, characters];
  const [from, to] = [start * (characters ?? 1), (start + count) * (characters ?? 1)];
  if ('items' in block) return { dtype: block.dtype, shape, items: sliceItems(block.items, from, to) };
  const { dtype, bytes } = block;
  return { dtype, shape, bytes: bytes.subarray(from * dtype.itemSize, to * dtype.itemSize) };
}
