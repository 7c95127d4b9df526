/** Integers that JSON can write and JavaScript numbers cannot hold exactly. */
import { type JsonValue, parseJsonText } from '../../zarr/index.js';

/** Cheap test that most bodies fail: the lossless parse below costs more than `JSON.parse`. */
const longDigits = /\d{16}/;

/**
 * The first integer in JSON text that would lose digits as a number. Numbers as JavaScript prints them (1e20 in full) are
 * safe.
 * @param text valid JSON
 * @param maxDepth levels of lists and objects
 */
export function unsafeInteger(text: string, maxDepth: number): bigint | undefined {
  return longDigits.test(text)
    ? firstUnsafe(parseJsonText(text, { maxBytes: text.length, maxDepth }))
    : undefined;
}

function firstUnsafe(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return isSafe(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  const items: readonly JsonValue[] = Object.values(value);
  for (const item of items) {
    const found = firstUnsafe(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSafe(value: bigint): boolean {
  const number = Number(value);
  return Number.isFinite(number) && (BigInt(number) === value || String(number) === String(value));
}
