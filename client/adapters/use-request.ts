import { useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  /**
   * The last received values. They are kept during the next request and after an error. Undefined without a
   * slice.
   */
  readonly data: T | undefined;
  /** The error of the last request; undefined after another request has succeeded. */
  readonly error: unknown;
  /** Whether the request for the current arguments is in flight. */
  readonly isLoading: boolean;
}

interface State<T> {
  /** The request of `data` or `error`; undefined during the next request. */
  readonly key?: string | undefined;
  readonly data?: T | undefined;
  readonly error?: unknown;
}

const empty = {};

/**
 * Sends a request whenever `key` changes, and aborts it when the key changes again or the component unmounts. Effects do not
 * run on a server, so nothing is sent there.
 *
 * @param key identifies the request; undefined to send nothing
 * @param load undefined if an input of the request is missing
 */
export function useRequest<T>(
  key: string | undefined,
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
): Loaded<T> {
  const [state, setState] = useState<State<T>>(empty);
  const latest = useRef(load);
  // Must come before the next effect, which calls it.
  useEffect(() => {
    latest.current = load;
  });
  const ready = load !== undefined;
  useEffect(() => {
    if (key === undefined) return setState(empty);
    setState((last) => (last.key === undefined ? last : { ...last, key: undefined }));
    if (!ready) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const start = async () => latest.current?.(signal);
    start().then(
      (data) => {
        if (!signal.aborted) setState({ key, data });
      },
      (error: unknown) => {
        if (!signal.aborted) setState((last) => ({ key, data: last.data, error }));
      },
    );
    return () => stop.abort();
  }, [key, ready]);
  if (key === undefined) return { data: undefined, error: undefined, isLoading: false };
  return { data: state.data, error: state.error, isLoading: state.key !== key };
}
