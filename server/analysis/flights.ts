/** Shares concurrent computations with equal keys. Aborts a computation when all its callers have aborted. */
import { setMaxListeners } from 'node:events';
import { AbortedError } from '../zarr/index.js';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

export function createFlights<T>() {
  const flights = new Map<string, Flight<T>>();

  function open(key: string, begin: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const flight = { stop, waiting: 0, result: begin(stop.signal) };
    flights.set(key, flight);
    const close = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(close, close);
    return flight;
  }

  function leave(key: string, flight: Flight<T>): void {
    flight.waiting -= 1;
    if (flight.waiting > 0) return;
    if (flights.get(key) === flight) flights.delete(key);
    flight.stop.abort();
  }

  return {
    has: (key: string): boolean => flights.has(key),
    /**
     * Joins the computation of this key, or starts it.
     * @param begin receives a signal that fires when all callers have aborted
     * @returns the result, which all callers share
     * @throws errors from `begin`; AbortedError if the caller's own signal fires
     */
    async join(
      key: string,
      begin: (signal: AbortSignal) => Promise<T>,
      signal: AbortSignal | undefined,
    ): Promise<T> {
      const flight = flights.get(key) ?? open(key, begin);
      flight.waiting += 1;
      try {
        return await untilAborted(flight.result, signal);
      } finally {
        leave(key, flight);
      }
    },
  };
}

/** The result, unless the signal fires first. */
function untilAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(new AbortedError('the request was cancelled', { cause: signal.reason }));
    // A request shares one signal among all its results, so many listeners are expected.
    setMaxListeners(0, signal);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
