/** JSON text of runs of elements other than numbers. */
import { NAT } from '../../../wire/data-types.js';
import { type Block, contentsAt, elementAt } from '../../zarr/index.js';
import { partEnd } from '../block-part.js';
import type { SegmentText } from './list-text.js';

/** Writes each element with `textOf`, and a missing element as null. */
export function itemSegments<T>(
  take: (from: number, to: number) => readonly (T | null)[],
  textOf: (item: T) => string,
): SegmentText {
  return (from, to) =>
    take(from, to)
      .map((item) => (item === null ? 'null' : textOf(item)))
      .join(',');
}

/** Writes elements of variable length a few at a time, and long elements piece by piece. */
export function variableSegments(
  block: Block,
  textOf: (item: unknown) => string,
  pieces?: (contents: Uint8Array) => Iterable<string>,
): SegmentText {
  const segment = (from: number, to: number): string => {
    const texts: string[] = [];
    for (let i = from; i < to; i++) {
      const item = elementAt(block, i);
      texts.push(item === null ? 'null' : textOf(item));
    }
    return texts.join(',');
  };
  const piecesAt = (i: number): Iterable<string> | undefined => {
    const contents = 'items' in block ? contentsAt(block.items, i) : null;
    return pieces === undefined || contents === null || contents.length <= LONG_BYTES
      ? undefined
      : pieces(contents);
  };
  return Object.assign(segment, {
    end: (from: number, to: number) => partEnd(block, from, to),
    pieces: piecesAt,
  });
}

/** Maximum length of text and byte strings that are written at once. */
const LONG_BYTES = 2 ** 16;
/** A multiple of 3, so that only the last piece of base64 is padded. */
const PIECE_BYTES = 3 * 2 ** 14;

/** Writes text as JSON. @param contents UTF-8 */
export function* textPieces(contents: Uint8Array): Generator<string> {
  // Characters may span pieces: the decoder buffers incomplete ones.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  yield '"';
  for (let from = 0; from < contents.length; from += PIECE_BYTES)
    yield JSON.stringify(
      decoder.decode(contents.subarray(from, from + PIECE_BYTES), {
        stream: from + PIECE_BYTES < contents.length,
      }),
    ).slice(1, -1);
  yield '"';
}

/** Writes bytes as base64. */
export function* base64Pieces(contents: Uint8Array): Generator<string> {
  yield '"';
  for (let from = 0; from < contents.length; from += PIECE_BYTES)
    yield base64Item(contents.subarray(from, from + PIECE_BYTES)).slice(1, -1);
  yield '"';
}

/** Writes timedeltas: counts as decimal strings, NaT as null. */
export function timeSegments(counts: BigInt64Array): SegmentText {
  return (from, to) =>
    Array.from(counts.subarray(from, to), (count) => (count === NAT ? 'null' : `"${count}"`)).join(',');
}

/** Decodes byte strings as UTF-8, with U+FFFD for invalid bytes. A byte order mark is kept. */
export function byteText(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function base64Item(bytes: Uint8Array): string {
  return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`;
}
