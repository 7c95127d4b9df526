/** The header Range of requests for a part of a file (RFC 9110, section 14). */

/** `to` is not included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The one range that is asked for. Undefined where the whole file is the answer: without a header, and for those that
 * may be ignored (several ranges, another unit, what is malformed). 'unsatisfiable' for one that begins behind the end.
 */
export function parseByteRange(
  header: string | null,
  byteLength: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const suffix = Math.min(byteLength, Number(last));
    return suffix === 0 ? 'unsatisfiable' : { from: byteLength - suffix, to: byteLength };
  }
  const [from, end] = [Number(first), last === '' ? Infinity : Number(last)];
  if (end < from) return undefined;
  return from >= byteLength ? 'unsatisfiable' : { from, to: Math.min(byteLength, end + 1) };
}
