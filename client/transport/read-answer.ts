import { TransportError, ZarrqlError } from '../errors.js';

/**
 * Runs code that takes an answer apart, trusting the types of its document. What fails then is the answer, not the
 * program.
 * @throws TransportError BAD_RESPONSE
 */
export function readAnswer<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZarrqlError) throw error;
    throw new TransportError('BAD_RESPONSE', 'the response does not have the form that its schema says', {
      cause: error,
    });
  }
}
