/** CBOR (RFC 8949): GraphQL results, with numbers as typed arrays (RFC 8746). */
import { resultCbor } from '../cbor/result-cbor.js';
import type { ResultForm } from './form.js';

export const cborResult = {
  mediaTypes: ['application/cbor'],
  isText: false,
  write: (result) => resultCbor(result),
} as const satisfies ResultForm;

/** CBOR with equal arrays sent once; see `SharedArrays`. */
export const sharingCborResult = {
  mediaTypes: ['application/vnd.zarrql+cbor'],
  isText: false,
  write: (result) => resultCbor(result, { sharesArrays: true }),
} as const satisfies ResultForm;
