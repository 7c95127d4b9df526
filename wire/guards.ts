/** Type guards. */

/** Whether a value is an object and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. `Array.isArray` would narrow to `any[]`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * A value that cannot be undefined, such as an element within the bounds of an array.
 * @throws TypeError if it is: a mistake in this program, never in a request (code INTERNAL)
 */
export function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('an element or key does not exist');
  return value;
}
