/** Parses JSON in requests. Rejects invalid UTF-8 and integers that would lose digits. */
import { isUtf8 } from 'node:buffer';
import { copyFloats, type JsonValue, parseJsonText } from '../../zarr/index.js';
import { badRequest } from './bad-request.js';

/** Levels of lists and objects in `variables`. No type of the schema is nested as deeply. */
export const MAX_INPUT_DEPTH = 128;

/** `variables` is one level below the body. */
const MAX_BODY_DEPTH = MAX_INPUT_DEPTH + 2;

/** @throws GraphQLError */
export function parseJsonBody(bytes: Buffer): object {
  if (!isUtf8(bytes)) throw badRequest('the body is not valid UTF-8');
  const body = parseRequestJson(bytes.toString('utf8'), 'the body');
  if (typeof body === 'object' && body !== null) return body;
  throw badRequest('the body must be a JSON object with "query" and optionally "variables"');
}

/**
 * Parses JSON text of a request.
 * @param what names the text in messages
 * @throws GraphQLError
 */
export function parseRequestJson(given: string, what: string): unknown {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  let value: unknown;
  let unsafe: bigint | undefined;
  try {
    value = JSON.parse(text);
    unsafe = unsafeInteger(text, MAX_BODY_DEPTH);
    if (mayHaveFloats(text))
      copyFloats(parseJsonText(text, { maxBytes: text.length, maxDepth: MAX_BODY_DEPTH }), value);
  } catch (error) {
    throw badRequest(`${what} is not valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (unsafe === undefined) return value;
  throw badRequest(
    `the integer ${unsafe} cannot be represented exactly as a JSON number; send integers beyond 2^53-1 as strings, or in a CBOR body`,
  );
}

/** Only attributes distinguish 2.0 from 2. The schema determines the type of all other numbers. */
function mayHaveFloats(text: string): boolean {
  return /attributes/i.test(text) && /\d(?:\.0+|[eE][+-]?\d+)\s*[,}\]]/.test(text);
}

/**
 * A cheap check that excludes most bodies, because the lossless parse below costs more than `JSON.parse`.
 * Fractions may be long.
 */
const longDigits = /(?<![\d.])\d{16}/;

/**
 * The first integer in JSON text that would lose digits as a number. Numbers as JavaScript prints them (1e20 in full) are
 * safe.
 * @param text valid JSON
 * @param maxDepth levels of lists and objects
 */
function unsafeInteger(text: string, maxDepth: number): bigint | undefined {
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
