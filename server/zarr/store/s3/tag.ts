/** ETags: some servers leave out the quotes. */
export function quotedTag(tag: string): string {
  return tag.endsWith('"') ? tag : `"${tag}"`;
}
