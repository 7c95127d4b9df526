/** Type guards for values of unknown origin. */

/** Whether a value is an object and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. `Array.isArray` would narrow to `any[]`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
