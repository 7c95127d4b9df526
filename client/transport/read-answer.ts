import { TransportError, ZarrqlError } from '../errors.js';

/**
 * Runs code that trusts the generated types of a response. An exception means that the response is malformed. @throws TransportError BAD_RESPONSE
 */
export function readAnswer<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZarrqlError) throw error;
    throw new TransportError('BAD_RESPONSE', 'the response does not match the schema', {
      cause: error,
    });
  }
}
