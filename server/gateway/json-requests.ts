/** JSON bodies: what they must be before GraphQL looks at them. */
import { isUtf8 } from 'node:buffer';
import type { Plugin } from 'graphql-yoga';
import { LimitError, copyFloats, parseJsonText } from '../zarr/index.js';
import { badRequest } from './bad-request.js';
import { lostInteger } from './lost-digits.js';

/** Levels of lists and objects in variables. No value of the schema has as many. */
const maxInputDepth = 128;

const jsonTypes = ['application/json', 'application/graphql+json', 'application/graphql-response+json'];

/** @param type a media type in lower case, without parameters */
export function isJsonType(type: string | undefined): boolean {
  return type !== undefined && jsonTypes.includes(type);
}

/**
 * Reads JSON bodies strictly: text that is no UTF-8 is refused, where the server would put U+FFFD into it, and so are
 * integers that would lose digits.
 */
export function useStrictJson(): Plugin {
  return {
    onRequestParse({ request, setRequestParser }) {
      const type = request.headers.get('content-type')?.split(/[;,]/)[0]?.trim().toLowerCase();
      if (request.method === 'POST' && isJsonType(type))
        setRequestParser(async (given) => parseJsonBody(Buffer.from(await given.arrayBuffer())));
    },
    onParams({ params }) {
      if (isNestedTooDeeply(params.variables))
        throw new LimitError(
          `the variables are nested too deeply: maxInputDepth allows ${maxInputDepth} levels`,
          { excess: [{ limit: 'maxInputDepth', allowed: maxInputDepth, needed: maxInputDepth + 1 }] },
        );
    },
  };
}

/** @throws GraphQLError */
export function parseJsonBody(bytes: Buffer<ArrayBuffer>): object {
  if (!isUtf8(bytes)) throw badRequest('the body is not UTF-8; JSON has no other encoding');
  const body = parseRequestJson(bytes.toString('utf8'), 'the body');
  if (typeof body === 'object' && body !== null) return body;
  throw badRequest('the body must be a JSON object with "query" and, where there are some, "variables"');
}

/**
 * JSON text of a request: what its numbers cannot hold is refused.
 * @param what names the text in messages
 * @throws GraphQLError
 */
export function parseRequestJson(given: string, what: string): unknown {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  let value: unknown;
  let lost: bigint | undefined;
  try {
    value = JSON.parse(text);
    // The variables lie one level down.
    lost = lostInteger(text, maxInputDepth + 2);
    if (mayHaveFloats(text))
      copyFloats(parseJsonText(text, { maxBytes: text.length, maxDepth: maxInputDepth + 2 }), value);
  } catch (error) {
    throw badRequest(`${what} is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (lost === undefined) return value;
  throw badRequest(
    `the integer ${lost} would lose digits as a JSON number; give integers beyond 2^53-1 as text, or in a CBOR body`,
  );
}

/** Attributes are stored as they are given: 2.0 is not 2 to everybody. All else has a type that says what it is. */
function mayHaveFloats(text: string): boolean {
  return /attributes/i.test(text) && /\d(?:\.0+|[eE][+-]?\d+)\s*[,}\]]/.test(text);
}

/** Whether variables have more levels than any value of the schema. */
export function isNestedTooDeeply(variables: unknown): boolean {
  return isDeeper(variables, maxInputDepth);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (typeof item === 'object' && isDeeper(item, levels - 1)) return true;
  return false;
}
