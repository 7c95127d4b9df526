/** Parses JSON in requests. Rejects invalid UTF-8 and integers that would lose digits. */
import { isUtf8 } from 'node:buffer';
import { copyFloats, type JsonValue, parseJsonText } from '../../zarr/index.js';
import { badRequest } from '../http-errors.js';
import { isRecord } from '../../../wire/guards.js';

/** The parameters of an operation, or a batch of them. */
export type ParsedBody = Record<string, unknown> | Record<string, unknown>[];

/** Maximum nesting of lists and objects in `variables`. No type of the schema is nested as deeply. */
export const MAX_INPUT_DEPTH = 128;

/** `variables` is one level below the parameters, which are in a list or in a message. */
const MAX_BODY_DEPTH = MAX_INPUT_DEPTH + 3;

/** @throws GraphQLError for malformed JSON, and for integers that would lose digits */
export function parseJsonBody(bytes: Buffer): ParsedBody {
  if (!isUtf8(bytes)) throw badRequest('the body is not valid UTF-8');
  const body = parseRequestJson(bytes.toString('utf8'), 'the body');
  if (isRecord(body) || (Array.isArray(body) && body.every(isRecord))) return body;
  throw badRequest(
    'the body must be a JSON object with "query" and optionally "variables", or an array of such objects',
  );
}

/**
 * Parses JSON text of a request.
 * @param subject name of the text, for messages
 * @throws GraphQLError for invalid JSON, and for integers that would lose digits
 */
export function parseRequestJson(source: string, subject: string): unknown {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  let value: unknown;
  let unsafe: bigint | undefined;
  try {
    value = JSON.parse(text);
    // Only attributes distinguish 2.0 from 2. The schema determines the type of all other numbers.
    const hasFloats = /attributes/i.test(text) && wholeFloat.test(text);
    if (hasFloats || longDigits.test(text)) {
      const exact = parseJsonText(text, { maxBytes: text.length, maxDepth: MAX_BODY_DEPTH });
      unsafe = firstUnsafe(exact);
      if (hasFloats) copyFloats(exact, value);
    }
  } catch (error) {
    throw badRequest(`${subject} is not valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (unsafe === undefined) return value;
  throw badRequest(
    `the integer ${unsafe} cannot be represented exactly as a JSON number; send integers beyond 2^53-1 as strings, or in a CBOR body`,
  );
}

const wholeFloat = /\d(?:\.0+|[eE][+-]?\d+)\s*[,}\]]/;

/**
 * A cheap check that excludes most bodies, because the lossless parse costs more than `JSON.parse`. Ignores
 * the digits of fractions.
 */
const longDigits = /(?<![\d.])\d{16}/;

/**
 * The first integer that would lose digits as a number. Numbers as JavaScript prints them (1e20 in full) are
 * safe.
 */
function firstUnsafe(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return isSafe(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  const items: readonly JsonValue[] = Object.values(value);
  for (const item of items) {
    const unsafe = firstUnsafe(item);
    if (unsafe !== undefined) return unsafe;
  }
  return undefined;
}

function isSafe(value: bigint): boolean {
  const number = Number(value);
  return Number.isFinite(number) && (BigInt(number) === value || String(number) === String(value));
}
