/** The end of a message about an unknown name: existing names like it. */
export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? '' : `; the nearest are ${names.map((name) => `"${name}"`).join(', ')}`;
}
