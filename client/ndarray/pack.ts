/** Computes the stored bits of values that arrived as text, byte strings or fields. */
import { defined } from '../../wire/guards.js';
import { TransportError } from '../errors.js';
import type { FieldLayout } from './layout.js';
import type { AnyNDArray } from './ndarray.js';
import { sizeOf } from './shape.js';

const MAX_PACKED_BYTES = 2 ** 30;

/**
 * Limits the memory of packed values: short text of a long type grows when it is padded.
 * @throws TransportError BAD_RESPONSE
 */
export function assertPackable(count: number, itemSize: number): void {
  if (count * itemSize <= MAX_PACKED_BYTES) return;
  throw new TransportError(
    'BAD_RESPONSE',
    `${count} values of ${itemSize} bytes exceed ${MAX_PACKED_BYTES} bytes; request fewer values per call`,
  );
}

/** Packs byte strings, padded with zeros to one length. */
export function packBytes(items: readonly Uint8Array[], itemSize: number): Uint8Array {
  const bytes = new Uint8Array(items.length * itemSize);
  items.forEach((item, i) => bytes.set(item.subarray(0, itemSize), i * itemSize));
  return bytes;
}

/** Packs text as little-endian UTF-32, padded with NULs. */
export function packUtf32(texts: readonly string[], itemSize: number): Uint8Array {
  const codes = new Uint32Array((texts.length * itemSize) / 4);
  texts.forEach((text, i) => {
    let at = (i * itemSize) / 4;
    const end = at + itemSize / 4;
    for (const character of text) if (at < end) codes[at++] = defined(character.codePointAt(0));
  });
  return new Uint8Array(codes.buffer);
}

/** Packs the values of fields into structs. */
export function packStruct(
  columns: readonly { readonly field: FieldLayout; readonly values: AnyNDArray }[],
  count: number,
  itemSize: number,
): Uint8Array {
  const bytes = new Uint8Array(count * itemSize);
  for (const { field, values } of columns) {
    const length = field.layout.itemSize * sizeOf(field.shape);
    const from = values.bytes ?? new Uint8Array(0);
    for (let i = 0; i < count; i++)
      bytes.set(from.subarray(i * length, (i + 1) * length), i * itemSize + field.offset);
  }
  return bytes;
}
