import { TransportError, ZarrqlError } from '../errors.js';

/**
 * Runs code that relies on the generated types of a response. Converts an exception to an error for a malformed
 * response.
 * @throws TransportError BAD_RESPONSE
 */
export function rejectMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZarrqlError) throw error;
    throw new TransportError('BAD_RESPONSE', 'the response does not match the schema', {
      cause: error,
    });
  }
}
