/** Lends memory to a response until it has been sent. */
import type { ServerResponse } from 'node:http';
import { createLentResults, type LentResults, type ResultLoans } from '../memory/lent-results.js';

/** `ZARRQL_LENT_RESULTS=overwrite` (for tests) makes every use of memory that is not lent visible. */
export function createServerResults(): LentResults {
  return createLentResults({ overwrites: process.env['ZARRQL_LENT_RESULTS'] === 'overwrite' });
}

/**
 * @param respond resolves to whether it has sent the whole response that uses the memory. Otherwise the memory is not
 *   taken back, nor if it rejects or the connection closes before the last byte has left the process
 */
export async function whileLent(
  results: LentResults,
  outgoing: ServerResponse,
  respond: (loans: ResultLoans) => Promise<boolean>,
): Promise<void> {
  const loans = results.open();
  let [isSent, isFinished] = [false, false];
  const settle = (): void => {
    if (isSent && isFinished) loans.giveBack();
  };
  outgoing.once('finish', () => {
    isFinished = true;
    settle();
  });
  isSent = await respond(loans);
  settle();
}
