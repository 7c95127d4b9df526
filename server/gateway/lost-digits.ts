/** Integers that JSON can write and JavaScript's numbers cannot hold. */
import { type JsonValue, parseJsonText } from '../zarr/index.js';

/** Whether text may have such integers at all: few bodies have, and reading one without loss costs more than parsing. */
const longDigits = /\d{16}/;

/**
 * The first integer in JSON text that would lose digits as a number. What JavaScript itself writes for a number (1e20
 * in full) is none.
 * @param text JSON that `JSON.parse` takes
 * @param maxDepth levels of lists and objects
 */
export function lostInteger(text: string, maxDepth: number): bigint | undefined {
  return longDigits.test(text)
    ? firstLost(parseJsonText(text, { maxBytes: text.length, maxDepth }))
    : undefined;
}

function firstLost(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return isKept(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  const items: readonly JsonValue[] = Object.values(value);
  for (const item of items) {
    const lost = firstLost(item);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

function isKept(value: bigint): boolean {
  const number = Number(value);
  return Number.isFinite(number) && (BigInt(number) === value || String(number) === String(value));
}
