/** Parse step: the parameters of a GraphQL request, from a body or a URL. */
import { decodeCborBody } from '../../transport/cbor/decode.js';
import { isZarrError, LimitError } from '../../zarr/index.js';
import { badRequest } from '../http-errors.js';
import { isRecord } from '../../../wire/guards.js';
import { MAX_INPUT_DEPTH, type ParsedBody, parseJsonBody, parseRequestJson } from './request-json.js';

/** The parameters of GraphQL over HTTP, with their specified types. */
export interface Parameters {
  readonly query: string | undefined;
  readonly documentId: unknown;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Parses a body. @throws GraphQLError for a malformed body */
export type BodyParser = (bytes: Buffer) => ParsedBody;

const bodyParsers: ReadonlyMap<string, BodyParser> = new Map<string, BodyParser>([
  ['application/json', parseJsonBody],
  ['application/graphql+json', parseJsonBody],
  ['application/graphql-response+json', parseJsonBody],
  ['application/cbor', parseCborBody],
]);

/** The parser for a `Content-Type` header; undefined unless it names JSON or CBOR. */
export function bodyParserFor(contentType: string | null | undefined): BodyParser | undefined {
  // Most clients send the media type alone.
  return bodyParsers.get(contentType ?? '') ?? bodyParsers.get(mediaTypeOf(contentType));
}

/** The media type of a `Content-Type` header, in lower case and without parameters; empty if there is none. */
export function mediaTypeOf(contentType: string | null | undefined): string {
  return contentType?.split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
}

/** @throws GraphQLError for invalid JSON, and for integers that would lose digits */
export function parseUrlParameters(url: string): Record<string, unknown> {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const parameters: Record<string, unknown> = {};
  for (const name of ['query', 'documentId', 'operationName']) {
    const text = query.get(name);
    if (text !== null && text !== '') parameters[name] = text;
  }
  for (const name of ['variables', 'extensions']) {
    const text = query.get(name);
    if (text !== null && text !== '') parameters[name] = parseRequestJson(text, `the parameter "${name}"`);
  }
  return parameters;
}

/** @throws GraphQLError for malformed parameters; LimitError for variables that are nested too deeply */
export function checkParameters(parameters: unknown): Parameters {
  if (!isRecord(parameters)) throw badRequest('the parameters of the request must be an object');
  const checked: { -readonly [N in keyof Parameters]: Parameters[N] } = {
    ...{ query: undefined, documentId: undefined, variables: undefined, operationName: undefined },
    extensions: {},
  };
  for (const name of Object.keys(parameters)) {
    const value = parameters[name];
    if (value === null || value === undefined) continue;
    if (name === 'query' || name === 'operationName') {
      if (typeof value !== 'string') throw badRequest(`the parameter "${name}" must be a string`);
      checked[name] = value;
    } else if (name === 'variables' || name === 'extensions') {
      if (!isRecord(value)) throw badRequest(`the parameter "${name}" must be an object`);
      if (name === 'variables' && isDeeper(value, MAX_INPUT_DEPTH)) throw tooDeep();
      checked[name] = value;
    } else if (name === 'documentId') checked.documentId = value;
    else throw badRequest(`unexpected parameter "${name.slice(0, 100)}"`);
  }
  return checked;
}

/** A member of a part of `extensions`; undefined if that part is not an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
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

/** @throws GraphQLError for malformed CBOR */
function parseCborBody(bytes: Uint8Array): ParsedBody {
  const body = decode(bytes);
  if (isMap(body) || (Array.isArray(body) && body.every(isMap))) return body;
  throw badRequest(
    'the body must be a map with "query" and optionally "variables", or an array of such maps',
  );
}

function decode(bytes: Uint8Array): unknown {
  try {
    return decodeCborBody(bytes);
  } catch (error) {
    throw isZarrError(error, 'BAD_INPUT') ? badRequest(error.message) : error;
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
