/** Loads the data of a component. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { noteError, tokenVersion } from './client.js';

export interface Loaded<T> {
  /** The last result. Kept while the next one loads and after an error. */
  readonly data: T | undefined;
  readonly error: unknown;
  /** Whether the last result or error belongs to the current key. */
  readonly isCurrent: boolean;
  /** Start of the running request, by `performance.now`. */
  readonly since: number | undefined;
  readonly cancel: () => void;
  readonly retry: () => void;
}

interface State<T> {
  readonly key?: string | undefined;
  readonly data?: T | undefined;
  readonly error?: unknown;
}

/**
 * Calls `load` whenever `key` changes, and aborts it when the key changes again or the component is
 * removed.
 * @param key identifies the data; undefined to load nothing
 * @param delayMs milliseconds for which the key must stay unchanged
 * @param firstDelayMs the same for the first key
 */
export function useLoad<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  delayMs = 0,
  firstDelayMs = delayMs,
): Loaded<T> {
  const [state, setState] = useState<State<T>>({});
  const [since, setSince] = useState<number | undefined>();
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const hasStarted = useRef(false);
  const controller = useRef<AbortController | undefined>(undefined);
  const full = key === undefined ? undefined : `${key} ${attempt} ${tokenVersion.value}`;
  useEffect(() => {
    if (full === undefined) {
      setState({});
      return undefined;
    }
    const stop = new AbortController();
    controller.current = stop;
    const start = () => {
      setSince(performance.now());
      latest.current(stop.signal).then(
        (data) => {
          if (stop.signal.aborted) return;
          setSince(undefined);
          setState({ key: full, data });
        },
        (error: unknown) => {
          if (stop.signal.aborted) return;
          setSince(undefined);
          noteError(error);
          setState((last) => ({ key: full, data: last.data, error }));
        },
      );
    };
    const waitMs = hasStarted.current ? delayMs : firstDelayMs;
    hasStarted.current = true;
    const timer = waitMs === 0 ? undefined : setTimeout(start, waitMs);
    if (timer === undefined) start();
    return () => {
      clearTimeout(timer);
      stop.abort();
      setSince(undefined);
    };
  }, [full, delayMs, firstDelayMs]);
  return {
    data: state.data,
    error: state.key === full ? state.error : undefined,
    isCurrent: state.key === full,
    since,
    cancel: () => {
      controller.current?.abort();
      setSince(undefined);
      setState((last) => ({ ...last, key: full, error: new CancelledError() }));
    },
    retry: () => setAttempt((last) => last + 1),
  };
}

/** The error of a request that the user has stopped. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
  constructor() {
    super('You stopped this request.');
  }
}
