/** ETags with quotes, which some servers omit. */
export function quotedTag(tag: string): string {
  return tag.endsWith('"') ? tag : `"${tag}"`;
}
