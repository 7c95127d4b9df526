/** Type guards for values of unknown origin. */

/** An object that is not a list, as a map of unknown values. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of unknown values; `Array.isArray` would narrow to `any[]`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
