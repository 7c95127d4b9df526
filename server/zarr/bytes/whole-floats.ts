/**
 * Which numbers of a JSON text were written as floats though they are whole: JavaScript does not tell 2.0 from 2, but
 * Python does, where an attribute `scale_factor` of 2 makes integers of what 2.0 makes floats. Objects and lists that are
 * read remember it for what is written of them again; copies only if `keepFloats` made them.
 */
const wholeFloats = Symbol('whole floats');

/** Remembers that the number under a key of an object, or at a place of a list, is a float. */
export function rememberFloat(container: object, key: string): void {
  const known = floatsOf(container);
  if (known !== undefined) known.add(key);
  // Not enumerable: to whoever compares them, the values are what they were.
  else Object.defineProperty(container, wholeFloats, { value: new Set([key]) });
}

/** The keys (or places) of such numbers; undefined for none. They may have another value by now. */
export function floatsOf(container: object): Set<string> | undefined {
  const known: unknown = Reflect.get(container, wholeFloats);
  return known instanceof Set ? known : undefined;
}

/** Makes a copy of an object or list remember what the original does. @returns the copy */
export function keepFloats<T extends object>(copy: T, original: object): T {
  for (const key of floatsOf(original) ?? []) rememberFloat(copy, key);
  return copy;
}

/** Makes objects and lists remember what others of the same form do, all the way down. */
export function copyFloats(from: unknown, to: unknown): void {
  if (typeof from !== 'object' || typeof to !== 'object' || from === null || to === null) return;
  keepFloats(to, from);
  for (const [key, value] of Object.entries(from)) copyFloats(value, Reflect.get(to, key));
}
