/** JSON in requests, read strictly: invalid UTF-8 and integers that would lose digits are refused. */
import { isUtf8 } from 'node:buffer';
import { copyFloats, parseJsonText } from '../../zarr/index.js';
import { badRequest } from './bad-request.js';
import { unsafeInteger } from './unsafe-integers.js';

/** Levels of lists and objects in `variables`. No type of the schema needs as many. */
export const MAX_INPUT_DEPTH = 128;

/** `variables` is one level below the body. */
const MAX_BODY_DEPTH = MAX_INPUT_DEPTH + 2;

/** @throws GraphQLError */
export function parseJsonBody(bytes: Buffer): object {
  if (!isUtf8(bytes)) throw badRequest('the body is not UTF-8, the only encoding of JSON');
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
    `the integer ${unsafe} would lose digits as a JSON number; send integers beyond 2^53-1 as text, or in a CBOR body`,
  );
}

/** Attributes keep the difference between 2.0 and 2. All other numbers have a type in the schema. */
function mayHaveFloats(text: string): boolean {
  return /attributes/i.test(text) && /\d(?:\.0+|[eE][+-]?\d+)\s*[,}\]]/.test(text);
}
