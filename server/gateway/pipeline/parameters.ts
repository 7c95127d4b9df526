/** Parse: the parameters of a GraphQL request, from a body or a URL. */
import { LimitError, isZarrError } from '../../zarr/index.js';
import { MAX_INPUT_DEPTH, parseJsonBody, parseRequestJson } from './json-body.js';
import { decodeCbor } from '../../transport/cbor/decode.js';
import { badRequest } from './bad-request.js';

/** The parameters of GraphQL over HTTP, with their specified types. */
export interface Parameters {
  readonly query: string | undefined;
  readonly documentId: unknown;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Parses a body. @throws GraphQLError */
export type BodyParser = (bytes: Buffer) => object;

const bodyParsers: ReadonlyMap<string, BodyParser> = new Map<string, BodyParser>([
  ['application/json', parseJsonBody],
  ['application/graphql+json', parseJsonBody],
  ['application/graphql-response+json', parseJsonBody],
  ['application/cbor', parseCborBody],
]);

/** The parser for a `Content-Type` header; undefined unless it names JSON or CBOR. */
export function bodyParserFor(contentType: string | null | undefined): BodyParser | undefined {
  return bodyParsers.get(mediaTypeOf(contentType));
}

/** The media type of a `Content-Type` header, in lower case and without parameters; empty if there is none. */
export function mediaTypeOf(contentType: string | null | undefined): string {
  return contentType?.split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
}

/** @throws GraphQLError for JSON that is invalid */
export function parseUrlParameters(url: string): Record<string, unknown> {
  const at = url.indexOf('?');
  const given = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const parameters: Record<string, unknown> = {};
  for (const name of ['query', 'documentId', 'operationName']) {
    const text = given.get(name);
    if (text !== null && text !== '') parameters[name] = text;
  }
  for (const name of ['variables', 'extensions']) {
    const text = given.get(name);
    if (text !== null && text !== '') parameters[name] = parseRequestJson(text, `the parameter "${name}"`);
  }
  return parameters;
}

const names = ['query', 'documentId', 'variables', 'operationName', 'extensions'];

/** @throws GraphQLError, LimitError */
export function checkParameters(given: unknown): Parameters {
  if (!isObject(given)) throw badRequest('the parameters of the request must be an object');
  const unknown = Object.keys(given).find((name) => given[name] != null && !names.includes(name));
  if (unknown !== undefined) throw badRequest(`unexpected parameter "${unknown.slice(0, 100)}"`);
  const variables = objectOrNothing(given, 'variables');
  if (isDeeper(variables, MAX_INPUT_DEPTH)) throw tooDeep();
  return {
    query: textOrNothing(given, 'query'),
    documentId: given['documentId'] ?? undefined,
    variables,
    operationName: textOrNothing(given, 'operationName'),
    extensions: objectOrNothing(given, 'extensions') ?? {},
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOrNothing(
  given: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const value = given[name] ?? undefined;
  if (value === undefined || isObject(value)) return value;
  throw badRequest(`the parameter "${name}" must be an object`);
}

function textOrNothing(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = given[name] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw badRequest(`the parameter "${name}" must be a string`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (typeof item === 'object' && isDeeper(item, levels - 1)) return true;
  return false;
}

function tooDeep(): LimitError {
  return new LimitError(
    `the variables are nested too deeply: maxInputDepth allows ${MAX_INPUT_DEPTH} levels`,
    { excess: [{ limit: 'maxInputDepth', allowed: MAX_INPUT_DEPTH, needed: MAX_INPUT_DEPTH + 1 }] },
  );
}

/** @throws GraphQLError */
function parseCborBody(bytes: Uint8Array): Record<string, unknown> {
  const body = decode(bytes);
  if (isMap(body)) return body;
  throw badRequest('the body must be a map with "query" and optionally "variables"');
}

function decode(bytes: Uint8Array): unknown {
  try {
    return decodeCbor(bytes);
  } catch (error) {
    throw isZarrError(error, 'BAD_INPUT') ? badRequest(error.message) : error;
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
