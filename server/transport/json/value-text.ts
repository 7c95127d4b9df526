/**
 * JSON text of single values, by the rules of the scalars JSON and BigInt: integers beyond 2^53 - 1 as decimal strings,
 * non-finite numbers as strings, -0 with its sign.
 */

/**
 * Writes a number as JSON. Large whole floats have an exponent, so that they are not mistaken for integers.
 */
export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? '-0.0' : String(value);
  if (Number.isFinite(value)) return Number.isInteger(value) ? value.toExponential() : String(value);
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
}

/**
 * Writes an integer as JSON: as a number if every reader represents it exactly, otherwise as a decimal
 * string.
 */
function bigintText(value: bigint): string {
  const safe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return safe ? value.toString() : `"${value}"`;
}

/**
 * Writes a scalar as JSON; undefined for lists and objects. A value that JSON cannot represent becomes null.
 */
export function leafText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return numberText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return bigintText(value);
    case 'object':
      return value === null ? 'null' : undefined;
    default:
      return 'null';
  }
}

/** Writes a nested value as JSON, all at once. Use it only for small values. */
export function valueText(value: unknown): string {
  const leaf = leafText(value);
  if (leaf !== undefined || typeof value !== 'object' || value === null) return leaf ?? 'null';
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${valueText(member)}`).join(',')}}`;
}
