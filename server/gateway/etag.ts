/** Whether `If-None-Match` names an ETag, by weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  if (header === null || header === undefined) return false;
  return header
    .split(',')
    .map((given) => given.trim().replace(/^W\//, ''))
    .some((given) => given === etag || given === '*');
}
