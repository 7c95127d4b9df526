/** CBOR bodies: the same map as in JSON, whose variables may carry values as typed arrays. */
import { decodeCbor } from '../../transport/cbor/decode.js';
import { isZarrError } from '../../zarr/index.js';
import { badRequest } from './bad-request.js';

/** @throws GraphQLError */
export function parseCborBody(bytes: Uint8Array): Record<string, unknown> {
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
