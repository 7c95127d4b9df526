/**
 * JSON text of single values, by the rules of the scalars JSON and BigInt: integers beyond 2^53 - 1 as decimal strings,
 * non-finite numbers as strings, -0 with its sign.
 */

/** A number as JSON. A float that happens to be a large whole number keeps an exponent, so that it looks like none. */
export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? '-0.0' : String(value);
  if (Number.isFinite(value)) return Number.isInteger(value) ? value.toExponential() : String(value);
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
}

/** An integer as JSON: a number where that is exact for every reader, else a decimal string. */
export function bigintText(value: bigint): string {
  const safe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return safe ? value.toString() : `"${value}"`;
}

/** Text of anything that holds nothing else; undefined for lists and objects. What JSON cannot say is null. */
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

/** Text of one value of any depth at once: for values that are known to be small. */
export function valueText(value: unknown): string {
  const leaf = leafText(value);
  if (leaf !== undefined || typeof value !== 'object' || value === null) return leaf ?? 'null';
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${valueText(member)}`).join(',')}}`;
}
