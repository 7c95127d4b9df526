/** The Content-Range header (RFC 9110, section 14.4). */
export interface ContentRange {
  /** First and last byte of the part; absent if the range is not satisfiable. */
  readonly first?: number;
  readonly last?: number;
  /** Size of the whole object, if the server states it. */
  readonly total?: number;
}

const pattern = /^bytes (?:(\d{1,16})-(\d{1,16})|\*)\/(?:(\d{1,16})|\*)$/;

/** @returns undefined if the header is missing or invalid */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const match = pattern.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const total = match[3] === undefined ? {} : { total: Number(match[3]) };
  if (match[1] === undefined || match[2] === undefined) return total;
  const first = Number(match[1]);
  const last = Number(match[2]);
  if (last < first || (total.total !== undefined && last >= total.total)) return undefined;
  return { first, last, ...total };
}
