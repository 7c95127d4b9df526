/** The Range header (RFC 9110, section 14). */

/** A part that a client requests: from `offset` to `end` (exclusive; undefined for the last byte), or the last bytes. */
export type RequestedPart =
  { readonly offset: number; readonly end: number | undefined } | { readonly suffix: number };

/**
 * Parses a header with one range. Undefined means the whole file: without a header, and for headers that may be ignored
 * (several ranges, another unit, malformed).
 */
export function byteRangeOf(header: string | null): RequestedPart | undefined {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return { suffix: positionOf(last) };
  const [offset, end] = [positionOf(first), last === '' ? undefined : positionOf(last)];
  if (end === undefined) return { offset, end };
  return end < offset ? undefined : { offset, end: Math.min(end + 1, Number.MAX_SAFE_INTEGER) };
}

function positionOf(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

/** A range of bytes; `to` is exclusive. */
interface ByteExtent {
  readonly from: number;
  readonly to: number;
}

/** Like `byteRangeOf`, of a file of known length; 'unsatisfiable' if the range contains no byte of the file. */
export function parseByteRange(
  header: string | null,
  byteLength: number,
): ByteExtent | 'unsatisfiable' | undefined {
  const part = byteRangeOf(header);
  if (part === undefined) return undefined;
  if ('suffix' in part) {
    const suffix = Math.min(byteLength, part.suffix);
    return suffix === 0 ? 'unsatisfiable' : { from: byteLength - suffix, to: byteLength };
  }
  const { offset, end = Infinity } = part;
  return offset >= byteLength ? 'unsatisfiable' : { from: offset, to: Math.min(byteLength, end) };
}
