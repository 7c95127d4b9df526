/** Suggests similar names, for the end of a message about an unknown name. */
export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? '' : `; the nearest are ${names.map((name) => `"${name}"`).join(', ')}`;
}
