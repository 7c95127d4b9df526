/** Suggests similar names at the end of a message about an unknown one. */
export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? '' : `; the nearest are ${names.map((name) => `"${name}"`).join(', ')}`;
}
