/** CBOR (RFC 8949): GraphQL results, with numbers as typed arrays (RFC 8746). */
import { resultCbor } from '../cbor/result-cbor.js';
import type { ResultForm } from './form.js';

export const cborResult = {
  mediaTypes: ['application/cbor'],
  isText: false,
  write: resultCbor,
} as const satisfies ResultForm;
