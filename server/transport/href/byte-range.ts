/** The Range header (RFC 9110, section 14). */

/** A range of bytes; `to` is exclusive. */
export interface RequestedRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses a Range header with one range. Undefined means the whole file: without a header, and for headers
 * that may be ignored (several ranges, another unit, malformed). 'unsatisfiable' if the range contains no
 * byte of the file.
 */
export function parseByteRange(
  header: string | null,
  byteLength: number,
): RequestedRange | 'unsatisfiable' | undefined {
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
