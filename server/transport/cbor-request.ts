/** A GraphQL request in a CBOR body: the same map as in JSON, whose variables may carry values as typed arrays. */
import { GraphQLError } from 'graphql';
import { isZarrError } from '../zarr/index.js';
import { decodeCbor } from './cbor/decode.js';

const mediaType = 'application/cbor';

export function isCborRequest(request: Request): boolean {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return request.method === 'POST' && isCborType(type);
}

/** @param type a media type in lower case, without parameters */
export function isCborType(type: string | undefined): boolean {
  return type === mediaType;
}

/** @throws as parseCborBody */
export async function parseCborRequest(request: Request): Promise<Record<string, unknown>> {
  return parseCborBody(new Uint8Array(await request.arrayBuffer()));
}

/** @throws GraphQLError with the status 400 for every client, as for a body that is no JSON */
export function parseCborBody(bytes: Uint8Array): Record<string, unknown> {
  const body = decoded(bytes);
  if (isMap(body)) return body;
  throw badBody('the body must be a map with "query" and, where there are some, "variables"');
}

function decoded(bytes: Uint8Array): unknown {
  try {
    return decodeCbor(bytes);
  } catch (error) {
    throw isZarrError(error, 'BAD_INPUT') ? badBody(error.message) : error;
  }
}

function badBody(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_INPUT', http: { status: 400 } } });
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
