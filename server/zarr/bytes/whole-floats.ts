/**
 * Records which whole numbers of a JSON text were written as floats. JavaScript does not distinguish 2.0
 * from 2, but in Python, a `scale_factor` of 2 results in integers and 2.0 in floats. Parsed objects and
 * lists keep this information until they are written again. Copies keep it only if `keepFloats` creates
 * them.
 */
const wholeFloats = Symbol('whole floats');

/** Marks the number under a key of an object, or at an index of a list, as a float. */
export function rememberFloat(container: object, key: string): void {
  const known = floatsOf(container);
  if (known !== undefined) known.add(key);
  // Not enumerable, so that comparisons ignore it.
  else Object.defineProperty(container, wholeFloats, { value: new Set([key]) });
}

/**
 * The keys (or indices) of numbers that were written as floats; undefined if there are none. Their values
 * may have changed.
 */
export function floatsOf(container: object): Set<string> | undefined {
  const known: unknown = Reflect.get(container, wholeFloats);
  return known instanceof Set ? known : undefined;
}

/** Copies the marks of an object or list to a copy of it. @returns the copy */
export function keepFloats<T extends object>(copy: T, original: object): T {
  for (const key of floatsOf(original) ?? []) rememberFloat(copy, key);
  return copy;
}

/** Copies marks between objects and lists of the same structure, recursively. */
export function copyFloats(from: unknown, to: unknown): void {
  if (typeof from !== 'object' || typeof to !== 'object' || from === null || to === null) return;
  keepFloats(to, from);
  for (const [key, value] of Object.entries(from)) copyFloats(value, Reflect.get(to, key));
}
