/** Runs one job on a thread; an error becomes plain data. */
import { LimitError, ZarrError } from '../../errors.js';
import type { Outcome } from './protocol.js';

export function attempt(work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ZarrError))
      return { code: undefined, detail: error instanceof Error ? error.message : String(error), excess: [] };
    return {
      code: error.code,
      detail: error.detail,
      excess: error instanceof LimitError ? error.excess : [],
    };
  }
}
