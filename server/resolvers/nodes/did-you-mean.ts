/** The end of a message that says something is not there: what is there, and like it. */
export function nearNote(names: readonly string[]): string {
  return names.length === 0 ? '' : `; the nearest are ${names.map((name) => `"${name}"`).join(', ')}`;
}
