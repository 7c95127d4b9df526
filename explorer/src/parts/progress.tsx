import { useEffect, useState } from 'preact/hooks';

interface ProgressProps {
  /** When the request started; undefined if none is running. */
  readonly since: number | undefined;
  readonly what: string;
  readonly cancel: () => void;
}

/** Shorter waits show no progress bar. */
const SHOWN_AFTER_MS = 300;

/** Shows a progress bar while a request is running, with the elapsed time and a stop button. */
export function Progress({ since, what, cancel }: ProgressProps) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, [since]);
  if (since === undefined || now - since < SHOWN_AFTER_MS) return null;
  return (
    <div class="progress">
      <progress aria-label={what} />
      <span>
        {what}, {((now - since) / 1000).toFixed(1)} s
      </span>
      <button type="button" onClick={cancel}>
        Stop
      </button>
    </div>
  );
}
