/** Typed arrays over the bytes of a block. */
import { UnsupportedError } from '../../errors.js';
import { countOf } from '../byte-order.js';
import type { Block } from '../data-type.js';

export interface ViewConstructor<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** A view of the bytes of a block if they are aligned, otherwise of a copy. */
export function viewAs<T>(View: ViewConstructor<T>): (block: Block) => T {
  return (block) => viewBytes(View, blockBytes(block));
}

export function viewBytes<T>(View: ViewConstructor<T>, bytes: Uint8Array): T {
  const unit = View.BYTES_PER_ELEMENT;
  // Not `slice`, which returns a view for a Buffer.
  const { buffer, byteOffset, length } = bytes.byteOffset % unit === 0 ? bytes : new Uint8Array(bytes);
  return new View(buffer, byteOffset, Math.floor(length / unit));
}

/** One value per `itemSize` bytes. */
export function mapItems<T>(block: Block, read: (item: Uint8Array) => T): T[] {
  const bytes = blockBytes(block);
  const size = block.dtype.itemSize ?? 0;
  return Array.from({ length: countOf(block.shape) }, (_, i) =>
    read(bytes.subarray(i * size, (i + 1) * size)),
  );
}

/** @throws UnsupportedError for a data type of variable length */
function blockBytes(block: Block): Uint8Array {
  if ('bytes' in block) return block.bytes;
  throw new UnsupportedError(`values of type ${block.dtype.name} are not numbers`);
}
